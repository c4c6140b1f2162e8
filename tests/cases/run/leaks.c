// Memory never freed, and freed twice in different runs, does not add up.
// covet: run % --stdin 3 --run-memory 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *kept;
int main(void)
{
    if (kept)
        return 9; /* never */
    kept = malloc(8 << 20);
    if (!kept)
        return 8; /* never: 64 MB are there in every run */
    memset(kept, 1, 8 << 20);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += getchar() == 'm' + i;
    return sum == 3 ? 1 : 0;
}
