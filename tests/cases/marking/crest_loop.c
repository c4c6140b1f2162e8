// Inputs marked in a loop, as CREST's examples do.
// covet: run %
#include <crest.h>

int main(void)
{
    int values[3], largest = -100;
    for (int i = 0; i < 3; i++) {
        CREST_int(values[i]);
        if (values[i] > largest)
            largest = values[i];
    }
    if (largest == -50)
        return 1;
    if (values[0] + values[1] + values[2] == 3 * largest && largest == 9)
        return 2;
    return 0;
}
