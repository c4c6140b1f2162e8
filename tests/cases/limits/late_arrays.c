// Two arrays are assumed to be the same after the branches over one of them.
// covet: run %
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int a[12], b[12], large = 0, negative = 0;
    for (int i = 0; i < 12; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < 12; i++) {
        if (a[i] > 1000)
            large++;
        if (b[i] < 0)
            negative++;
    }
    for (int i = 0; i < 12; i++)
        __VERIFIER_assume(a[i] == b[i]);
    if (large == 3)
        return 3;
    if (large && negative)
        return 2;
    return 0;
}
