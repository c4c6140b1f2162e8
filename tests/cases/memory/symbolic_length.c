// Loops whose length is input, over memory that is input.
// covet: cover % --function longest
int longest(const unsigned char data[5], unsigned n)
{
    if (n > 5)
        return -1;
    int best = 0, current = 0;
    for (unsigned i = 0; i < n; i++)
        if (i > 0 && data[i] == data[i - 1] + 1) {
            if (++current > best)
                best = current;
        } else
            current = 0;
    if (best == 4)
        return 1;
    if (best == 2 && data[0] == 200)
        return 2;
    return 0;
}
