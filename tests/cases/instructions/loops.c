// for, while and do with break and continue, bounded by input.
// covet: cover % --function count
int count(unsigned char n, int stop)
{
    int total = 0;
    if (n > 6)
        return -1;
    for (int i = 0; i < n; i++) {
        if (i == 2)
            continue;
        if (i == stop)
            break;
        total += i;
    }
    int k = n;
    while (k-- > 3)
        total += 100;
    do
        total++;
    while (total % 5);
    return total == 305 ? 1 : total == 205 ? 2 : 0;
}
