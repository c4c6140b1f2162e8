// A file that is not there, and one that is written first and then read.
// covet: run % --stdin 2
#include <errno.h>
#include <stdio.h>
int main(void)
{
    FILE *none = fopen("no-such-file", "r");
    if (none)
        return 9; /* never */
    if (errno != ENOENT)
        return 8; /* never */
    FILE *file = fopen("scratch.txt", "w+");
    if (!file)
        return 7; /* never */
    fputs("ax", file);
    rewind(file);
    if (fgetc(file) != 'a')
        return 6; /* never */
    return fgetc(file) == getchar() ? 1 : 2;
}
