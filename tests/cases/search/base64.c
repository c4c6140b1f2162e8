// Base64 through its table, with padding.
// covet: cover % --function decode
static int value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}
int decode(const char in[4])
{
    unsigned bits = 0;
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (in[i] == '=' && i >= 2)
            break;
        int v = value(in[i]);
        if (v < 0)
            return -1;
        bits |= v << (18 - 6 * i);
        n++;
    }
    if (n == 4 && bits == 0x6f6b21) /* "ok!" */
        return 1;
    if (n == 2 && bits >> 16 == 'x')
        return 2;
    return 0;
}
