// A process that sends itself signals.
// covet: run % --stdin 1
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (c == 'k')
        kill(getpid(), SIGKILL);
    if (c == 't')
        raise(SIGTERM);
    if (c == 'i')
        raise(SIGCHLD); /* ignored */
    return c == 'i' ? 1 : 0;
}
