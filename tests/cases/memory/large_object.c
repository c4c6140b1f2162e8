// An object beyond the limit for exact symbolic addresses: the address is made concrete there, values stay exact.
// The branch on big[at] can be taken only by luck; what does not hang on the address must still be reached.
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
