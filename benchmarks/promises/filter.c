// A filter whose state depends on every input before.
// promise: memory
// covet: run % --time 10 --memory 1500
// check: peak 1500; not stopped exhausted; branches 2
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    double s = 0, last = 0;
    int overflows = 0;
    for (long i = 0; i < 1000000; i++) {
        double e = __VERIFIER_nondet_double();
        if (!(e >= -1 && e <= 1))
            return 0;
        s = 0.999 * s + e - last;
        last = e;
        if (s > 3)
            overflows++;
    }
    return overflows;
}
