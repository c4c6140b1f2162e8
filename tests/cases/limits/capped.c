// More inputs than a run may have: runs end there, natively too, and that is said.
// covet: run % --max-inputs 100
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    for (int i = 0; i < 5000; i++)
        n += __VERIFIER_nondet_int() == i;
    return n == 4321;
}
