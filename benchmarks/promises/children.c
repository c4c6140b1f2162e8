// A program that starts processes and leaves them behind.
// promise: time
// covet: run % --time 4 --stdin 1
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int c = getchar();
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            setsid();
            for (;;)
                pause();
        }
    return c == 'a';
}
