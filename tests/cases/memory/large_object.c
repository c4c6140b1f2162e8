// An object beyond the limit for exact symbolic addresses: the address is made concrete there, values stay exact.
// What is written there and read back keeps its formula.
// covet: cover % --function large --iterations 50
static int big[4096];

int large(unsigned at, int value)
{
    if (at >= 4096)
        return -1;
    big[at] = value;
    if (big[at] == 4711)
        return 1;
    if (at == 4000)
        return big[4000] == value ? 2 : 3; /* 3 never */
    return 0;
}
