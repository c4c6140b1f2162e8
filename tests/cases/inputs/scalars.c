// Parameters of every scalar type.
// covet: cover % --function scalars
#include <stdbool.h>
#include <stddef.h>
int scalars(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul,
            long long ll, unsigned long long ull, bool b, float f, double d, size_t z, wchar_t w)
{
    if (c == 'C') return 1;
    if (sc == -7) return 2;
    if (uc == 207) return 3;
    if (s == -1234) return 4;
    if (us == 54321) return 5;
    if (i == -123456789) return 6;
    if (u == 4000000000u) return 7;
    if (l == -1234567890123) return 8;
    if (ul == 0xfedcba9876543210u) return 9;
    if (ll == -2) return 10;
    if (ull == ~0ull) return 11;
    if (b) return 12;
    if (f == 1.25f) return 13;
    if (d == -2.5e100) return 14;
    if (z == 4096) return 15;
    if (w == L'\u20ac') return 16;
    return 0;
}
