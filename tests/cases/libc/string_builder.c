// sprintf with symbolic parts, then compared.
// covet: cover % --function build
#include <stdio.h>
#include <string.h>
int build(unsigned char n, char c)
{
    char text[16];
    if (n > 120)
        return -1;
    sprintf(text, "%u%c", n, c);
    if (strcmp(text, "17z") == 0)
        return 1;
    return strlen(text) == 4 ? 2 : 0;
}
