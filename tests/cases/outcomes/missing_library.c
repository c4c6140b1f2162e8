// A function of a library that the program is not linked with: that a call of it crashes is told once, and is no alarm.
// covet: cover % --function check
#include <crypt.h>
#include <stddef.h>

int check(const char *phrase, int kind)
{
    if (phrase == NULL)
        return -1;
    if (kind == 7)
        return crypt(phrase, "ab")[0] == 'a';
    return kind > 2;
}
