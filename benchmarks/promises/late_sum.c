// Assumed at the end: a sum.
// promise: assumptions
// covet: run % --time 10
// check: branches 6
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    unsigned sum = 0, odd = 0;
    for (int i = 0; i < 12; i++) {
        unsigned short x = __VERIFIER_nondet_ushort();
        sum += x;
        if (x & 1)
            odd++;
    }
    __VERIFIER_assume(sum == 54321);
    if (odd == 11)
        return 1;
    return 0;
}
