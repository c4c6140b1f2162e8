/* Four paths: y is the square of x or not, y is above 8 or not. */
#include <covet.h>
#include <stdio.h>

void power(int x, int y) {
    int path = 0;
    if (x > 0) {
        if (y == (int)((unsigned)x * (unsigned)x)) {
            puts("S0");
            path = 1;
        } else {
            puts("S1");
            path = 2;
        }
        if (y > 8) {
            if (path == 1)
                puts("S0;S3");
            if (path == 2)
                puts("S1;S3");
        } else {
            if (path == 1)
                puts("S0;S4");
            if (path == 2)
                puts("S1;S4");
        }
    }
}

int main(void) {
    power(covet_int("x"), covet_int("y"));
    return 0;
}
