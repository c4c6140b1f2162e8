// A program that does not hear signals and never ends.
// promise: time
// covet: run % --time 4 --stdin 2
#include <signal.h>
#include <stdio.h>
int main(void)
{
    for (int i = 1; i < 32; i++)
        signal(i, SIG_IGN);
    if (getchar() == 'x')
        for (;;)
            ;
    return 0;
}
