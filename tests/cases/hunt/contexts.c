// The same mistake twice: one caller allows what breaks it, the other does not (as in Figure 5 of the CONBRIO paper).
// covet: hunt %
// covet: hunt % --filter off
static const int table[4] = {1, 2, 3, 4};

static int first(int index)
{
    return table[index];
}

static int second(int index)
{
    return table[index] + 1;
}

int careful(int index)
{
    if (index < 0 || index >= 4)
        return -1;
    return first(index);
}

int careless(int index)
{
    if (index < 0 || index > 4)
        return -1;
    return second(index);
}
