// Room for the text but not for its end; only a text that fills the buffer shows it.
// covet: cover % --function keep
#include <stdlib.h>
int keep(unsigned length) {
    if (length == 0 || length > 1000) return 0;
    char *p = malloc(1000);
    if (!p) return 0;
    p[length] = 0;
    int r = p[length - 1] == 0;
    free(p);
    return r;
}
