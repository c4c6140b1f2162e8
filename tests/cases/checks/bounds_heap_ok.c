// covet: cover % --function keep
#include <stdlib.h>
int keep(unsigned length) {
    if (length == 0 || length > 1000) return 0;
    char *p = calloc(1001, 1);
    if (!p) return 0;
    p[length] = 0;
    int r = p[length - 1] == 0;
    free(p);
    return r;
}
