// Switches over 64 bits, over characters, and over ranges of labels.
// covet: cover % --function classify
int classify(unsigned long key, char c)
{
    switch (key) {
    case 0x100000000ul: return 1;
    case 0x100000001ul: return 2;
    case 0xfffffffffffffffful: return 3;
    case 0: break;
    default: return 4;
    }
    switch (c) {
    case 'a' ... 'f': return 5;
    case '0' ... '9': return 6;
    case -128 ... -100: return 7;
    case '+': case '-': return 8;
    default: return 9;
    }
}
