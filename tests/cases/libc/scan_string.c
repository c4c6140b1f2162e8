// sscanf over a marked string: sets, hexadecimal, literals, %n.
// covet: run %
#include <covet.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char s[10], name[8];
    unsigned value;
    int used = 0;
    covet_symbolic(s, sizeof s, "s");
    s[9] = 0;
    if (sscanf(s, "%4[a-z]=%x%n", name, &value, &used) == 2) {
        if (strcmp(name, "key") == 0 && value == 0xa7)
            return 1;
        return used == 8 ? 2 : 3;
    }
    if (sscanf(s, "(%2x)", &value) == 1 && value == 0x3c)
        return 4;
    return 0;
}
