// rand and the environment start afresh in every run.
// covet: run % --stdin 1
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    if (getenv("COVET_CASE"))
        return 9; /* never */
    int first = rand();
    setenv("COVET_CASE", "1", 1);
    if (first != 1804289383)
        return 8; /* never: the first number of glibc's default seed */
    srand(first);
    return getchar() == 'r' ? 1 : 0;
}
