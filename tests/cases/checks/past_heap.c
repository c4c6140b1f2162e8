// A loop with plain numbers that goes one too far, into no object at all.
// covet: cover % --function fill
#include <stdlib.h>
int fill(int key) {
    char *p = malloc(10);
    if (!p) return 0;
    int n = key == 0x51a7c0de ? 11 : 10;
    for (int i = 0; i < n; i++) p[i] = (char)i;
    int last = p[9];
    free(p);
    return last;
}
