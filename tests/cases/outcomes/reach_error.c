// SV-COMP's error function, at a state only a loop of the right length reaches.
// covet: run %
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { __builtin_trap(); }

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar(), steps = 0, x = n;
    if (n == 0 || n > 20)
        return 1;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps++;
    }
    if (steps == 17)
        reach_error();
    return 0;
}
