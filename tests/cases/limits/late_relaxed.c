// What the first run decides contradicts what is assumed at the end: the way there is given up.
// covet: run %
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    int seen = 0;
    if (x > 10)
        seen++;
    if (y > 10)
        seen++;
    if (z > 10)
        seen++;
    __VERIFIER_assume(x + y + z == 3000 && x > 900 && y > 900 && z > 900);
    if (x == y && y == z)
        return 1;
    return seen == 3 ? 2 : 3;
}
