// Asks for inputs for ever and does nothing with them: no hang, and not all was tried.
// covet: run % --until exhausted --max-inputs 5000
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int last = 0;
    for (;;)
        last ^= __VERIFIER_nondet_int();
    return last;
}
