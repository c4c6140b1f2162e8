// Lengths, copies and joins: each length is a path of its own.
// covet: run %
#include <covet.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char s[6], t[16], *copy;
    int result = 0;
    covet_symbolic(s, sizeof s, "s");
    s[5] = 0;
    if (strlen(s) == 4)
        result = 1;
    strcpy(t, "<");
    strcat(t, s);
    strncat(t, ">>>", 1);
    if (strcmp(t, "<ab>") == 0)
        return 2;
    copy = strdup(s);
    if (copy && strnlen(copy, 3) == 2 && copy[1] == '-')
        result = 3;
    free(copy);
    strncpy(t, s, 4);
    if (t[3] == 'z')
        return 4;
    return result;
}
