// Whole strings are found by one query each: comparisons have no branch per byte.
// covet: run %
// covet: show path %
// covet: show query % --flip 1
#include <covet.h>
#include <string.h>
#include <strings.h>
int main(void)
{
    char s[12], t[12];
    covet_symbolic(s, sizeof s, "s");
    covet_symbolic(t, sizeof t, "t");
    s[11] = t[11] = 0;
    if (strcmp(s, "concolic") == 0)
        return 1;
    if (strncmp(s, "prefix", 6) == 0)
        return 2;
    if (strcasecmp(s, "MiXeD") == 0 && s[0] == 'm')
        return 3;
    if (memcmp(s, "\x7f" "ELF\x02", 5) == 0)
        return 4;
    if (s[0] == 'q' && strcmp(s, t) == 0)
        return 5;
    if (strcmp(s, t) > 0 && strcmp(t, "zz") > 0)
        return 6;
    if (strncasecmp(t, "hi", 2) == 0 && memcmp(s, t, 4) < 0)
        return 7;
    return 0;
}
