// What is not asked for is not told.
// covet: cover % --function mask --no-check shift-out-of-range,out-of-bounds
unsigned mask(unsigned n) {
    unsigned char bits[4] = {1, 2, 4, 8};
    if (n > 32) n = 32;
    return (1u << n) + bits[n & 3];
}
