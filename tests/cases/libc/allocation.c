// malloc, calloc, realloc and free keep what was stored.
// covet: cover % --function allocate
#include <stdlib.h>
#include <string.h>

int allocate(int a, int b, unsigned n)
{
    int *cells = malloc(2 * sizeof *cells);
    cells[0] = a;
    cells[1] = b;
    if (n > 8)
        n = 8;
    cells = realloc(cells, (n + 2) * sizeof *cells);
    int result = 0;
    if (cells[0] + cells[1] == 12345)
        result = 1;
    char *zeros = calloc(4, 1);
    if (zeros[n & 3] != 0)
        result = 2; /* never */
    char *copy = strdup(a == 9 ? "nine" : "other");
    if (copy[0] == 'n' && n == 3)
        result = 3;
    free(copy);
    free(zeros);
    free(cells);
    return result;
}
