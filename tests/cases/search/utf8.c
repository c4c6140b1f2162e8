// Decoding UTF-8: every length, every way to be wrong.
// covet: cover % --function decode
long decode(const unsigned char s[4])
{
    if (s[0] < 0x80)
        return s[0];
    int more;
    long point;
    if ((s[0] & 0xe0) == 0xc0)
        more = 1, point = s[0] & 0x1f;
    else if ((s[0] & 0xf0) == 0xe0)
        more = 2, point = s[0] & 0x0f;
    else if ((s[0] & 0xf8) == 0xf0)
        more = 3, point = s[0] & 0x07;
    else
        return -1;
    for (int i = 1; i <= more; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return -2;
        point = point << 6 | (s[i] & 0x3f);
    }
    if (point < (more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000))
        return -3; /* longer than needed */
    if (point >= 0xd800 && point < 0xe000)
        return -4; /* a surrogate */
    if (point > 0x10ffff)
        return -5;
    return point == 0x1f600 ? -6 : point;
}
