// Single bits set and tested at symbolic positions.
// covet: cover % --function bitmap
static unsigned long words[2];

static void set(unsigned bit) { words[bit / 64] |= 1ul << bit % 64; }
static int test(unsigned bit) { return words[bit / 64] >> bit % 64 & 1; }

int bitmap(unsigned char a, unsigned char b, unsigned char c)
{
    if (a >= 128 || b >= 128 || c >= 128)
        return -1;
    set(a);
    set(b);
    if (test(c) && c == a + 1)
        return 1;
    if (words[1] == 0x8000000000000001ul)
        return 2;
    if (words[0] == 1ul << 40)
        return 3;
    return 0;
}
