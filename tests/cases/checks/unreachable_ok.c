// covet: cover % --function kind
int kind(unsigned char c) {
    switch (c >> 6) {
    case 0: return 1;
    case 1: return 2;
    case 2: return 3;
    case 3: return 4;
    }
    __builtin_unreachable();
}
