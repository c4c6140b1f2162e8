// A program that takes all the memory it gets.
// promise: memory
// covet: run % --time 6 --memory 1500 --stdin 2
// check: peak 1500
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    int c = getchar();
    if (c == 'm')
        for (;;) {
            char *p = malloc(10 << 20);
            if (!p)
                break;
            memset(p, c, 10 << 20);
        }
    return 0;
}
