// strlen, strnlen and copies that depend on them.
// covet: cover % --function lengths
#include <string.h>

int lengths(const char in[6])
{
    char text[7] = {0}, copy[16];
    memcpy(text, in, 6);
    if (strlen(text) == 4 && text[3] == 'd')
        return 1;
    if (strnlen(in, 6) == 6)
        return 2;
    strcpy(copy, "<");
    strcat(copy, text);
    strcat(copy, ">");
    if (strlen(copy) == 5 && copy[1] == '>')
        return 3;
    strncpy(copy, text, 2);
    if (copy[0] == 'q' && copy[1] == 0)
        return 4;
    return 0;
}
