// Plain char is signed here: comparisons above 127 never hold, shifts keep the sign.
// covet: cover % --function chars
int chars(char c, signed char s, unsigned char u)
{
    if (c > 127)
        return 1; /* never */
    if (c == '\xe9')
        return c < 0 ? 2 : 3; /* 3 never */
    if (s >> 4 == -8)
        return 4;
    if (~u == -201)
        return 5;
    if ((c << 1) + s == -300)
        return 6;
    return -u == c ? 7 : 0;
}
