// A loop that does not end for one input.
// covet: cover % --function spin --run-time 100
int spin(unsigned x)
{
    unsigned i = 0;
    if (x > 100)
        return -1;
    while (i != x * 2 + (x == 42)) {
        if (x != 42)
            i++;
    }
    return i;
}
