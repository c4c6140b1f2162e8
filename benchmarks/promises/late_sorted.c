// Assumed at the end: an order.
// promise: assumptions
// covet: run % --time 10
// check: branches 6
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int a[12], at = -1;
    for (int i = 0; i < 12; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 12; i++)
        if (a[i] == 1234)
            at = i;
    for (int i = 1; i < 12; i++)
        __VERIFIER_assume(a[i - 1] < a[i]);
    if (at == 11)
        return 1;
    return 0;
}
