// Asks for inputs for ever and does nothing with them.
// promise: endless
// covet: run % --time 6
// check: no alarm timeout; not stopped exhausted
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    volatile int last = 0;
    for (;;)
        last = __VERIFIER_nondet_int();
    return last;
}
