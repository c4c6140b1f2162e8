// SV-COMP's interface: every value is a fresh input.
// covet: run %
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 4);
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_bool() && __VERIFIER_nondet_char() == 'v')
        return 1;
    if (n == 3 && sum == 12)
        reach_error();
    return 0;
}
