// setjmp and longjmp out of nested calls; what is computed before and after stays exact.
// covet: cover % --function guarded
#include <setjmp.h>
static jmp_buf back;

static int parse(int depth, int x)
{
    if (x < 0)
        longjmp(back, 1);
    if (depth > 2)
        longjmp(back, x == 37 ? 3 : 2);
    return parse(depth + 1, x - 10) + 1;
}

int guarded(int x, int y)
{
    volatile int stage = 1;
    switch (setjmp(back)) {
    case 0:
        stage = 2;
        if (y == 5)
            return 10;
        return parse(0, x);
    case 1: return stage == 2 ? 11 : 12; /* 12 never */
    case 2: return y == 6 ? 13 : 14;
    default: return 15;
    }
}
