// A program that prints without end.
// promise: time
// covet: run % --time 4 --stdin 4
#include <stdio.h>
int main(void)
{
    int c = getchar();
    for (;;) {
        printf("%d says %s\n", c, "a line that nobody will read to its end");
        fprintf(stderr, "and %d more\n", c);
    }
}
