// Three writes at symbolic places of one array; the last one wins.
// covet: cover % --function writes
int writes(unsigned a, unsigned b, unsigned c, unsigned read)
{
    unsigned char cells[16] = {0};
    if (a > 15 || b > 15 || c > 15 || read > 15)
        return -1;
    cells[a] = 1;
    cells[b] += 2;
    cells[c] |= 4;
    if (cells[read] == 7)
        return 1;
    if (cells[read] == 6)
        return a == b ? 2 : 3; /* 2 never: then it were 7 */
    if (cells[5] + cells[6] + cells[7] == 7 && cells[6] == 0)
        return 4;
    return 0;
}
