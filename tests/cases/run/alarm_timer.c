// A timer left behind does not shoot the next run.
// covet: run % --stdin 1
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int c = getchar();
    if (c == 'a') {
        alarm(30);
        return 1;
    }
    return alarm(0) ? 9 : 0; /* 9 never: none is set */
}
