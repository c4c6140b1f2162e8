// The first program of KLEE's tutorial, and a choice.
// covet: run %
#include "klee/klee.h"

int get_sign(int x)
{
    if (x == 0)
        return 0;
    if (x < 0)
        return -1;
    else
        return 1;
}

int main(void)
{
    int a;
    klee_make_symbolic(&a, sizeof(a), "a");
    switch (klee_choose(3)) {
    case 0: return get_sign(a) + 1;
    case 1: return get_sign(~a) + 11;
    default: return get_sign(a - 7) == 0 ? 21 : 22;
    }
}
