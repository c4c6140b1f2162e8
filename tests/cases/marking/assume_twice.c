// Assumptions that contradict what ran before end the run without a test.
// covet: run %
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 100 && x < 200);
    int result = 0;
    if (x % 10 == 3)
        result += 1;
    __VERIFIER_assume(y == x * 2);
    if (y == 366)
        result += 2;
    if (y < 0)
        result += 4; /* never */
    return result;
}
