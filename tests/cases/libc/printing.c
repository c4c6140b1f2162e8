// What sprintf writes is still an expression over what it printed.
// covet: run %
#include <covet.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char text[24], name[4];
    int x = covet_int("x");
    covet_symbolic(name, sizeof name, "name");
    name[3] = 0;
    covet_assume(x > -10000);
    covet_assume(x < 100000);
    snprintf(text, sizeof text, "%d", x);
    if (strcmp(text, "-1234") == 0)
        return 1;
    snprintf(text, sizeof text, "%04x", (unsigned)x);
    if (strcmp(text, "00ff") == 0)
        return 2;
    if (snprintf(text, sizeof text, "%s.%c", name, 'c') == 4 && strcmp(text, "ab.c") == 0)
        return 3;
    return 0;
}
