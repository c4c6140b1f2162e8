// Output without end is cut off, not collected.
// covet: run % --stdin 1 --run-time 300
#include <stdio.h>
int main(void)
{
    if (getchar() != 'o')
        return 0;
    for (;;)
        puts("again and again and again and again and again");
}
