/* Classes of wide characters: model against library, in both locales that every system has. */
#include "shim.h"
#include <locale.h>
#include <wchar.h>
#include <wctype.h>
#define M(name) __covet_libc_##name
wint_t M(towlower)(wint_t);
wint_t M(towupper)(wint_t);
wint_t M(towctrans)(wint_t, wctrans_t);
int M(iswctype)(wint_t, wctype_t);

static void classes(wint_t c) {
#define CLASS(name)                                                                                               \
    do {                                                                                                          \
        int M(isw##name)(wint_t);                                                                                 \
        wctype_t class = wctype(#name);                                                                           \
        CHECK(M(isw##name)(c) == (isw##name)(c), "isw" #name " %x: %d %d", c, M(isw##name)(c), (isw##name)(c));   \
        CHECK(M(iswctype)(c, class) == (iswctype)(c, class), "iswctype " #name " %x", c);                         \
    } while (0)
    CLASS(alpha); CLASS(digit); CLASS(alnum); CLASS(space); CLASS(upper); CLASS(lower);
    CLASS(xdigit); CLASS(print); CLASS(graph); CLASS(blank); CLASS(cntrl); CLASS(punct);
    CHECK(M(towlower)(c) == (towlower)(c), "towlower %x", c);
    CHECK(M(towupper)(c) == (towupper)(c), "towupper %x", c);
    CHECK(M(towctrans)(c, wctrans("toupper")) == (towctrans)(c, wctrans("toupper")), "towctrans %x", c);
    CHECK(M(towctrans)(c, wctrans("tolower")) == (towctrans)(c, wctrans("tolower")), "towctrans %x", c);
    CHECK(M(iswctype)(c, 0) == (iswctype)(c, 0), "no class %x", c);
}

int main(void) {
    shim_mode = shim_values = 1;
    const char *locales[] = { "C", "C.UTF-8" };
    for (int at = 0; at < 2; at++) {
        if (!setlocale(LC_ALL, locales[at])) continue;
        for (wint_t c = 0; c < 0x3000; c++) classes(c);
        for (wint_t c = 0x10fff0; c < 0x110010; c++) classes(c);
        classes(WEOF);
        classes(0x80000000u);
    }
    return finish();
}
