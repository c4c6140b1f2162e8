// Floor of the square root of a number, without floating point: binary search between concrete bounds, so that every path
// condition compares the input with a constant. One variable.

int square_root(int n)
{
    if (n < 0)
        return -1;
    if (n < 2)
        return n;
    int low = 1, high = 46341;
    while (low + 1 < high) {
        int middle = low + (high - low) / 2;
        if (middle * middle == n)
            return middle;
        if (middle * middle < n)
            low = middle;
        else
            high = middle;
    }
    if (low * low > n)
        return -2; // never
    if (n - low * low < low)
        return low;
    return low;
}
