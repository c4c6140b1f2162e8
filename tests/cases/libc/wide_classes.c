// covet: cover %
// Classes of wide characters are followed: letters, digits, case, and classes asked for by name.
#include <wctype.h>

int kind(wint_t c)
{
    if (iswupper(c))
        return towlower(c) == L'q' ? 1 : 2;
    if (iswdigit(c))
        return 3;
    if (iswspace(c) && !iswblank(c))
        return 4;
    if (iswctype(c, wctype("punct")))
        return 5;
    if (iswalpha(c) && c > 127)
        return 6;
    return iswcntrl(c) ? 7 : 8;
}
