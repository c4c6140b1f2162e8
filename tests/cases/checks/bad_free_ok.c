// covet: cover % --function drop
#include <stdlib.h>
int drop(int how) {
    int *p = malloc(16), *q = p;
    if (!p) return 0;
    if (how == 1) {
        free(p);
        p = NULL;
    }
    if (how == 2) q++;
    free(p);
    return how;
}
