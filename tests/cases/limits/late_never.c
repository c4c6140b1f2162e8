// What is assumed at the end cannot be: nothing is covered, only seen.
// covet: run %
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int(), sign = 0;
    if (x > 0)
        sign = 1;
    __VERIFIER_assume(x % 2 == 0 && x % 4 == 1);
    return sign;
}
