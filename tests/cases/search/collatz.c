// How long until one: a loop whose every step branches on the input.
// covet: cover % --function collatz --iterations 300
int collatz(unsigned char n)
{
    unsigned x = n;
    int steps = 0;
    if (x == 0)
        return -1;
    while (x != 1 && steps < 20) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    if (x != 1)
        return 1;
    return steps == 16 ? 2 : 0;
}
