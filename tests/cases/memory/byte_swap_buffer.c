// A buffer reversed in place at symbolic bounds.
// covet: cover % --function reverse
int reverse(unsigned from, unsigned to)
{
    char text[9] = "abcdefgh";
    if (from >= to || to > 7)
        return -1;
    for (unsigned i = from, j = to; i < j; i++, j--) {
        char held = text[i];
        text[i] = text[j];
        text[j] = held;
    }
    if (text[2] == 'e' && text[5] == 'f')
        return 1;
    if (text[0] == 'h')
        return 2;
    return 0;
}
