// A loop that asks for more inputs than a run is tracked for at first, but ends: what comes behind it is reached and tracked.
// covet: run %
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned high = 0, last = 0;
    for (int i = 0; i < 700; i++) {
        last = __VERIFIER_nondet_uchar();
        if (last > 200)
            high++;
    }
    if (last == 123)
        return 1;
    return high == 2 ? 2 : 0;
}
