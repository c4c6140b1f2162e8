// Roman numerals: each letter is worth more or less than the one behind it.
// covet: cover % --function roman --iterations 400
static int worth(char c)
{
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    default: return 0;
    }
}
int roman(const char text[5])
{
    int total = 0, n = 0;
    while (n < 4 && text[n]) {
        int here = worth(text[n]);
        if (!here)
            return -1;
        if (n < 3 && text[n + 1] && worth(text[n + 1]) > here)
            total -= here;
        else
            total += here;
        n++;
    }
    if (total == 94)
        return 1;
    if (total == 7)
        return 2;
    return 0;
}
