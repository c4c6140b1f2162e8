// A filter whose state depends on all inputs before but every third: what a term costs does not grow with them.
// covet: run % --iterations 12 --max-inputs 60000
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double s = 0;
    int overflows = 0, switched = 0;
    for (long i = 0; i < 15000; i++) {
        double e0 = __VERIFIER_nondet_double(), e1 = __VERIFIER_nondet_double();
        if (__VERIFIER_nondet_int() == 7)
            switched++;
        s = 0.999 * s + e0 - e1;
        if (s > 1000)
            overflows++;
    }
    return overflows + switched > 0;
}
