// switch inside loops with continue and break meaning different things; all values of two bits have a case.
// covet: cover % --function run
int run(const unsigned char code[4])
{
    int total = 0;
    for (int i = 0; i < 4; i++) {
        switch (code[i] >> 6) {
        case 0: continue;
        case 1: total += code[i] & 0x3f; break;
        case 2:
            if (code[i] & 1)
                goto done;
            total -= 5;
            break;
        case 3: i++;
        }
        total++;
    }
done:
    return total == 130 ? 1 : total == -16 ? 2 : 0;
}
