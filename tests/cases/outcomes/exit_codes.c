// exit with any code is an outcome, not an alarm.
// covet: run % --stdin 2
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    switch (getchar()) {
    case 'a': exit(3);
    case 'b': _exit(4);
    case 'c': return 256; /* 0 to the outside */
    case 'd': exit(-1);   /* 255 */
    case 'e': quick_exit(5);
    }
    return getchar() == '\n' ? 1 : 0;
}
