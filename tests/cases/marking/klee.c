// KLEE's interface, unchanged.
// covet: run %
#include <klee/klee.h>

int main(void)
{
    int a;
    unsigned char text[3];
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(text, sizeof text, "text");
    int r = klee_range(5, 9, "r");
    klee_assume(a > 10);
    klee_assume(text[0] != 0);
    if (a < 12 && r == 8)
        return 1;
    if (text[0] == text[1] && text[2] == 0xff)
        return 2;
    if (a <= 10)
        return 3; /* never: assumed away */
    klee_assert(a * 2 != 246);
    return 0;
}
