// A task's own reach_error is the one that counts.
// covet: run %
#include <assert.h>
extern short __VERIFIER_nondet_short(void);
void reach_error(void)
{
    assert(0);
}
void __VERIFIER_assert(int condition)
{
    if (!condition) {
    ERROR:
        reach_error();
    }
}
int main(void)
{
    short x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();
    if (x > 0 && y > 0)
        __VERIFIER_assert(x * y != 4087);
    return 0;
}
