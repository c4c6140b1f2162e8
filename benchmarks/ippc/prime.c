// Is a number prime? Divisibility is decided by subtraction and comparison alone. One variable.

enum { LARGEST = 200 };

static int divides(int divisor, int n)
{
    while (n >= divisor)
        n = n - divisor;
    return n == 0;
}

int prime(int n)
{
    if (n < 0)
        return -1;
    if (n > LARGEST)
        return -2;
    if (n < 2)
        return 0;
    if (n == 2 || n == 3)
        return 1;
    if (divides(2, n))
        return 0;
    if (divides(3, n))
        return 0;
    int divisor = 5, step = 2;
    while (divisor * divisor <= n) {
        if (divides(divisor, n))
            return 0;
        divisor = divisor + step;
        if (step == 2)
            step = 4;
        else
            step = 2;
    }
    return 1;
}
