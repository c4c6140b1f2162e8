/* The example of DART: the second error lies behind an overflow of x * x * x. */
#include <covet.h>

static int error;

static void fail(void) { error = 1; }

void dart(int x, int y) {
    int cube = (int)((unsigned)x * (unsigned)x * (unsigned)x);
    if (cube > 0) {
        if (x > 0 && y == 10)
            fail();
    } else {
        if (x > 0 && y == 20)
            fail();
    }
}

int main(void) {
    dart(covet_int("x"), covet_int("y"));
    return error;
}
