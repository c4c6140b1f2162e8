// Assumed at the end: what cannot be. Nothing counts as covered behind it or before it.
// promise: assumptions
// covet: run % --time 6
// check: at most 0 branches
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int big = 0;
    if (x > 10)
        big = 1;
    if (y < -10)
        big = 2;
    __VERIFIER_assume(x > y && y > x);
    return big;
}
