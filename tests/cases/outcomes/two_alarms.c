// Several faults in one function are several alarms, each with its own input.
// covet: cover % --function faulty
#include <assert.h>
#include <stdlib.h>

int faulty(int a, int b)
{
    if (a == 1) {
        if (b == 10)
            abort();
        assert(b != 11);
    }
    if (a == 2)
        return 100 / (b - 12);
    if (a == 3 && b == 13)
        *(volatile int *)0 = 1;
    return 0;
}
