// Run-length decoding into a bounded buffer.
// covet: cover % --function expand
int expand(const unsigned char in[6])
{
    char out[16];
    unsigned used = 0;
    for (int i = 0; i + 1 < 6; i += 2) {
        unsigned n = in[i];
        if (n == 0)
            break;
        if (used + n > sizeof out)
            return -1;
        for (unsigned k = 0; k < n; k++)
            out[used++] = in[i + 1];
    }
    if (used == 7 && out[6] == '!' && out[0] == 'a')
        return 1;
    return used;
}
