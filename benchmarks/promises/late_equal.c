// Assumed at the end: two arrays are the same.
// promise: assumptions
// covet: run % --time 10
// check: branches 10
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int a[20], b[20], big = 0;
    for (int i = 0; i < 20; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < 20; i++)
        if (a[i] > 1000)
            big++;
    for (int i = 0; i < 20; i++)
        __VERIFIER_assume(a[i] == b[i]);
    if (big == 3)
        return 1;
    return 0;
}
