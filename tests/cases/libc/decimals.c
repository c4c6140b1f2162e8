// Decimal numbers: exact arithmetic on the digits.
// covet: run %
#include <covet.h>
#include <stdlib.h>
int main(void)
{
    char s[3];
    double d;
    covet_symbolic(s, sizeof s, "s");
    s[2] = 0;
    d = strtod(s, NULL);
    if (d > 97)
        return 1;
    if (d == -4)
        return 2;
    return 0;
}
