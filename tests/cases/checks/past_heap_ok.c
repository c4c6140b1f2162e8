// covet: cover % --function fill
#include <stdlib.h>
#include <string.h>
int fill(int key) {
    char *p = malloc(10), *q = realloc(p, 11);
    if (!q) return 0;
    int n = key == 0x51a7c0de ? 11 : 10;
    for (int i = 0; i < n; i++) q[i] = (char)i;
    char *copy = strdup("0123456789"), last = q[n - 1];
    memcpy(q, copy, 11);
    free(copy);
    free(q);
    return last;
}
