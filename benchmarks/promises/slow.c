// Every run takes long, natively too; none of them is a hang.
// promise: time
// covet: cover % --function f --time 8
// check: no alarm timeout
#include <time.h>
int f(unsigned char a, unsigned char b)
{
    struct timespec pause = {0, 150000000};
    nanosleep(&pause, 0);
    if (a == 3)
        return b == 4 ? 1 : 2;
    return 0;
}
