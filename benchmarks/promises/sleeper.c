// A program that sleeps for ever on half of its inputs.
// promise: time
// covet: cover % --function f --time 4
// check: branches 2
#include <unistd.h>
int f(int x)
{
    if (x > 10)
        for (;;)
            sleep(1000);
    return x;
}
