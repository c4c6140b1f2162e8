// Constructors, atexit handlers and changed globals start afresh in every run.
// covet: run % --stdin 2
#include <stdio.h>
#include <stdlib.h>
static int started, counter;

__attribute__((constructor)) static void start(void) { started = 1; }
static void finish(void) { if (counter == 3)
        _Exit(33); }

int main(void)
{
    if (counter != 0 || !started)
        return 9; /* never */
    atexit(finish);
    int c = getchar();
    while (c-- > 'w')
        counter++;
    if (getchar() == 'z' && counter == 2)
        exit(22);
    return 0;
}
