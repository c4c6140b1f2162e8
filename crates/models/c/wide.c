/* Classes of wide characters.
 *
 * Turns `iswalpha(c)` into arithmetic on `c` where the locale is "C" or "C.UTF-8": both have the letters of ASCII, and "C" has
 * no others. Which of the rest are letters in "C.UTF-8", and everything in other locales, is the library's to say: there the
 * run is pinned to the character. */
#include "covet/model.h"
#include <ctype.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

enum letters { ASCII_ALONE, ASCII_AND_OTHERS, UNKNOWN };

static enum letters letters_of_locale(void) {
    if (uselocale((locale_t)0) != LC_GLOBAL_LOCALE) return UNKNOWN;
    const char *name = setlocale(LC_CTYPE, NULL);
    if (name == NULL) return UNKNOWN;
    if (!strcmp(name, "C") || !strcmp(name, "POSIX")) return ASCII_ALONE;
    return !strcmp(name, "C.UTF-8") || !strcmp(name, "C.utf8") ? ASCII_AND_OTHERS : UNKNOWN;
}

static int is_ascii(wint_t c) { return c < 128u; }

/* 1 when the character has to be the one it is: nothing but the library knows about it. */
static int is_the_librarys(wint_t c) {
    if (plain_value(c)) return 1;
    enum letters letters = letters_of_locale();
    return letters == UNKNOWN || (letters == ASCII_AND_OTHERS && !is_ascii(c));
}

static int ascii_letter(wint_t c) { return is_upper((int)c) | is_lower((int)c); }
static int ascii_visible(wint_t c) { return (unsigned)(c - '!') < 94u; }

/* What the library gives for ASCII characters: the class bit, as `isalpha` does, but of a digit just 1. */
#define WIDE(name, bit, condition)                                                  \
    static int wide_##name(wint_t c) { return condition; }                          \
    int MODEL(isw##name)(wint_t c) {                                                \
        if (is_the_librarys(c)) return isw##name((wint_t)__covet_settle(c));        \
        return (int)mask_if(wide_##name(c)) & (bit);                                \
    }
WIDE(alpha, _ISalpha, ascii_letter(c))
WIDE(digit, 1, (unsigned)(c - '0') < 10u)
WIDE(alnum, _ISalnum, ascii_letter(c) | ((unsigned)(c - '0') < 10u))
WIDE(space, _ISspace, (c == ' ') | ((unsigned)(c - '\t') < 5u))
WIDE(upper, _ISupper, (unsigned)(c - 'A') < 26u)
WIDE(lower, _ISlower, (unsigned)(c - 'a') < 26u)
WIDE(xdigit, _ISxdigit, ((unsigned)(c - '0') < 10u) | ((unsigned)((c | 32) - 'a') < 6u))
WIDE(print, _ISprint, ascii_visible(c) | (c == ' '))
WIDE(graph, _ISgraph, ascii_visible(c))
WIDE(blank, _ISblank, (c == ' ') | (c == '\t'))
WIDE(cntrl, _IScntrl, (c < 32u) | (c == 127u))
WIDE(punct, _ISpunct, ascii_visible(c) & !(ascii_letter(c) | ((unsigned)(c - '0') < 10u)))

wint_t MODEL(towlower)(wint_t c) {
    if (is_the_librarys(c)) return towlower((wint_t)__covet_settle(c));
    return c + ((wint_t)((unsigned)(c - 'A') < 26u) << 5);
}

wint_t MODEL(towupper)(wint_t c) {
    if (is_the_librarys(c)) return towupper((wint_t)__covet_settle(c));
    return c - ((wint_t)((unsigned)(c - 'a') < 26u) << 5);
}

/* A class that was asked for by name: 0 or 1, not the bit. */
#define NAMED(name) if (class == wctype(#name)) return wide_##name(c)
int MODEL(iswctype)(wint_t c, wctype_t class) {
    if (class == 0 || is_the_librarys(c)) return iswctype((wint_t)__covet_settle(c), class);
    NAMED(alpha);
    NAMED(digit);
    NAMED(alnum);
    NAMED(space);
    NAMED(upper);
    NAMED(lower);
    NAMED(xdigit);
    NAMED(print);
    NAMED(graph);
    NAMED(blank);
    NAMED(cntrl);
    NAMED(punct);
    return iswctype((wint_t)__covet_settle(c), class);
}

wint_t MODEL(towctrans)(wint_t c, wctrans_t mapping) {
    if (mapping != 0 && mapping == wctrans("tolower")) return MODEL(towlower)(c);
    if (mapping != 0 && mapping == wctrans("toupper")) return MODEL(towupper)(c);
    return towctrans((wint_t)__covet_settle(c), mapping);
}
