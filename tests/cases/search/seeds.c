// The first input may be random: the same seed gives the same suite.
// covet: cover % --function start --first random --seed 7
int start(int a, int b)
{
    if (a == b)
        return 1;
    if (a - b == 10)
        return 2;
    if ((a ^ b) == 0x7fffffff)
        return 3;
    return 0;
}
