// Functions that never return, attributes, and weak definitions.
// covet: cover % --function guard
#include <stdlib.h>
_Noreturn static void stop(int code) { exit(code); }
__attribute__((weak)) int limit(void) { return 40; }
__attribute__((always_inline)) static inline int twice(int x) { return 2 * x; }
int guard(int x)
{
    if (twice(x) == limit())
        stop(3);
    if (x < -500)
        stop(4);
    return 0;
}
