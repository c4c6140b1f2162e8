// A handler of the program's own takes the signal: no alarm.
// covet: run % --stdin 1
#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t caught;
static void handle(int number) { caught = number; }

int main(void)
{
    signal(SIGUSR1, handle);
    if (getchar() == 's')
        raise(SIGUSR1);
    if (caught == SIGUSR1)
        return 1;
    return 0;
}
