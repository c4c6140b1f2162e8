// Floating-point division by zero is no fault; integer division is.
// covet: cover % --function quotient
int quotient(int a, double d)
{
    double q = 1.0 / d;
    if (q > 1e308 && d == 0)
        return 1;
    if (d == 7.0)
        return 70 / a;
    return 0;
}
