// Functions that are not modelled run natively on concrete values; the input around them is still solved.
// covet: cover % --function native
#include <stdlib.h>
#include <time.h>

int native(int a, int day)
{
    struct tm t = {.tm_year = 100, .tm_mon = 1, .tm_mday = 29};
    t.tm_hour = day & 1;
    if (a == 365)
        return div(17, 5).rem == 2 ? 1 : 2; /* 2 never */
    if (day > 28 && day < 30)
        return mktime(&t) != -1 ? 3 : 4; /* 4 never */
    return 0;
}
