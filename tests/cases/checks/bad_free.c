// Freed twice, in the middle, and never allocated.
// covet: cover % --function drop
#include <stdlib.h>
int drop(int how) {
    int local[4] = {0}, *p = malloc(16);
    if (!p) return 0;
    if (how == 1) free(p);
    if (how == 2) p++;
    if (how == 3) {
        free(p);
        p = local + 1;
    }
    free(p);
    return how;
}
