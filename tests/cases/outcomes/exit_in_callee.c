// exit and abort inside callees and handlers; cleanup runs where C says.
// covet: run % --stdin 1
#include <stdio.h>
#include <stdlib.h>
static void usage(int code) { exit(code); }
int main(void)
{
    int c = getchar();
    if (c == 'u')
        usage(64);
    if (c == 'U')
        usage(0);
    if (c > 'x')
        abort();
    return 0;
}
