// covet: cover % --function mask
unsigned mask(unsigned n) {
    if (n >= 32) return 0xffffffffu;
    return (1u << n) - 1;
}
