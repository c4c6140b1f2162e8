// CREST's interface: variables become input under their own names.
// covet: run %
#include <crest.h>

int main(void)
{
    int a, b;
    char c;
    unsigned short s;
    CREST_int(a);
    CREST_int(b);
    CREST_char(c);
    CREST_unsigned_short(s);
    if (a == b + 7 && b > 1000)
        return 1;
    if (c == '$' && s == 65535)
        return 2;
    if (2 * a + 3 * b == 47 && a - b == 1)
        return 3;
    return 0;
}
