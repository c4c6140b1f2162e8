// Allocation without end: malloc gives up, the program is told, or it falls.
// covet: run % --stdin 1 --run-memory 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    if (getchar() != 'm')
        return 0;
    for (int i = 0; i < 1 << 20; i++) {
        char *piece = malloc(1 << 20);
        if (!piece)
            return 2;
        memset(piece, i, 64);
    }
    return 1; /* never: a tebibyte */
}
