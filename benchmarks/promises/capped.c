// More inputs than a run may have: that is said.
// promise: endless
// covet: run % --time 6 --max-inputs 100
// check: truncated; not stopped exhausted
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = 0;
    for (int i = 0; i < 5000; i++)
        n += __VERIFIER_nondet_int() == i;
    return n == 4321;
}
