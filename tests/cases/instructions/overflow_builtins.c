// Arithmetic that reports overflow.
// covet: cover % --function checked
int checked(int a, int b, unsigned c, long d, unsigned char e)
{
    int sum, product;
    unsigned difference;
    long wide;
    unsigned char narrow;
    if (__builtin_add_overflow(a, b, &sum))
        return sum == 5 ? 1 : 2;
    if (__builtin_mul_overflow(a, b, &product))
        return product == 0 ? 3 : 4;
    if (__builtin_sub_overflow(c, 1000u, &difference) && difference == 0xfffffc18u)
        return 5;
    if (__builtin_smull_overflow(d, 1000, &wide))
        return 6;
    if (__builtin_add_overflow(e, 200, &narrow) && narrow == 7)
        return 7;
    return 0;
}
