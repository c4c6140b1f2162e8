// A handler for a fault of its own making: the program goes on, no alarm.
// covet: run % --stdin 1
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf back;
static void handle(int number) { siglongjmp(back, number); }
int main(void)
{
    signal(SIGSEGV, handle);
    int c = getchar();
    if (sigsetjmp(back, 1))
        return c == 's' ? 1 : 2; /* 2 never */
    if (c == 's')
        *(volatile int *)0 = 1;
    return 0;
}
