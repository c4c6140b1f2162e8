// A filter: reads, converts, writes.
// covet: run % --stdin 4 --iterations 200
#include <ctype.h>
#include <stdio.h>
int main(void)
{
    int c, changed = 0;
    while ((c = getchar()) != EOF) {
        int u = toupper(c);
        if (u != c)
            changed++;
        putchar(u);
    }
    fflush(stdout);
    if (changed == 3)
        return 1;
    return ferror(stdout) != 0;
}
