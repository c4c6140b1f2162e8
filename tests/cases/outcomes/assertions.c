// A failed assertion is an alarm at its line; one that holds always is not.
// covet: cover % --function asserted
#include <assert.h>

int asserted(unsigned x, unsigned y)
{
    if (x > 1000 || y > 1000)
        return -1;
    unsigned sum = x + y;
    assert(sum >= x); /* holds: no wrap below 2000 */
    if (x == 321) {
        assert(sum != 999);
        return 1;
    }
    return 0;
}
