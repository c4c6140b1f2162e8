// errno is zero when main starts, whatever the run before has left there, and when it is set up again natively.
// covet: run % --stdin 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    if (errno)
        return 9; /* never */
    errno = EINTR;
    if (rand() != 1804289383)
        return 8; /* never: the first number of glibc's default seed */
    return getchar() == 'r' ? errno == EINTR : 0;
}
