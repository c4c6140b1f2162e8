// strcmp, strncmp, strcasecmp, memcmp: order and equality of symbolic strings.
// covet: cover % --function compare
#include <string.h>
#include <strings.h>

int compare(const char a[6], const char b[4])
{
    char text[6];
    memcpy(text, a, 5);
    text[5] = 0;
    if (strcmp(text, "magic") == 0)
        return 1;
    if (strncmp(text, "pre", 3) == 0)
        return 2;
    if (strcasecmp(text, "YES") == 0)
        return text[0] == 'y' ? 3 : 4;
    if (memcmp(b, "\0\1\2\3", 4) == 0)
        return 5;
    return 0;
}
