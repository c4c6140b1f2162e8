// Places in strings: characters, sets, substrings.
// covet: run %
#include <covet.h>
#include <string.h>
int main(void)
{
    char s[8], *p;
    covet_symbolic(s, sizeof s, "s");
    s[7] = 0;
    if (strstr(s, "cat"))
        return 1;
    if ((p = strchr(s, '=')) && p == s + 3 && strrchr(s, '=') == s + 5)
        return 2;
    if (strspn(s, "0123456789") == 4)
        return 3;
    if (strcspn(s, ":;") == 2 && s[2] == ';')
        return 4;
    if (strpbrk(s, "!?") == s + 1)
        return 5;
    if (memchr(s, 0x80, 4))
        return 6;
    return 0;
}
