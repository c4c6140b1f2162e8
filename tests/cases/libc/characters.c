// The macros of <ctype.h> read tables at a symbolic index; the functions are arithmetic.
// covet: cover % --function classify
#include <ctype.h>
int classify(unsigned char c, int d)
{
    if (isdigit(c))
        return 1;
    if (isupper(c) && tolower(c) == 'k')
        return 2;
    if (ispunct(c) && !isgraph(c))
        return 3;
    if (isspace(c) && !isblank(c) && c != '\n')
        return 4;
    if (d >= -1 && d < 256 && (isxdigit)(d) && (toupper)(d) == 'E')
        return 5;
    return iscntrl(c) ? 6 : 0;
}
