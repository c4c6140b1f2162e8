// Statement expressions, __auto_type, _Generic, typeof and the comma operator.
// covet: cover % --function extras
#define LARGER(a, b) ({ __auto_type x_ = (a); __auto_type y_ = (b); x_ > y_ ? x_ : y_; })
#define KIND(x) _Generic((x), int: 1, long: 2, double: 3, default: 0)

int extras(int a, long b, unsigned char c)
{
    int most = LARGER(a, LARGER(c * 2, 10));
    if (most == 510)
        return a == 510 ? 1 : 2;
    __typeof__(b + a) sum = b + a;
    if (KIND(sum) == 2 && sum == 1l << 35)
        return 3;
    return (a++, b--, a + b == 41) ?: c == 41 ? 4 : 5;
}
