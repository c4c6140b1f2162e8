// Greatest common divisor, the binary algorithm, by subtraction and comparison alone: halves are found by counting, so that
// every path condition is linear in the two inputs. Two variables.

enum { LARGEST = 60 };

static int half(int n)
{
    int low = 0;
    while (low + 1 < n - low)
        low++;
    return low + low == n - 1 || low + low == n ? low : low + 1;
}

static int is_even(int n)
{
    int h = half(n);
    return h + h == n;
}

int gcd(int a, int b)
{
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    if (a > LARGEST || b > LARGEST || a < 0 || b < 0)
        return -1;
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    int doubled = 0;
    while (is_even(a) && is_even(b)) {
        a = half(a);
        b = half(b);
        doubled++;
    }
    while (a != b) {
        if (is_even(a))
            a = half(a);
        else if (is_even(b))
            b = half(b);
        else if (a > b)
            a = a - b;
        else
            b = b - a;
    }
    while (doubled > 0) {
        a = a + a;
        doubled--;
    }
    return a;
}
