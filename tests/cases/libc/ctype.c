// Character classes and case conversion.
// covet: cover % --function classes
#include <ctype.h>

int classes(unsigned char c, unsigned char d)
{
    if (isupper(c) && tolower(c) == 'w')
        return 1;
    if (isxdigit(c) && !isdigit(c) && isxdigit(d) && d > 'e')
        return 2;
    if (isspace(c) && c != ' ' && d == c + 1)
        return 3;
    if (ispunct(c) && ispunct(d) && c + d == 190)
        return 4;
    if (isalnum(d) && toupper(d) != d)
        return 5;
    if (iscntrl(d) && d > 100)
        return 6;
    return 0;
}
