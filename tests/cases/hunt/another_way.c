// The caller makes the same mistake by itself: that says nothing about the function that raised the alarm, which it calls with care.
// covet: hunt % --function second
static int table[4] = {1, 2, 3, 4};

static int entry(int index)
{
    return table[index];
}

static int second(int index)
{
    return entry(index + 1);
}

int both(int index, int other)
{
    int found = 0;
    if (index >= 0 && index < 3)
        found = second(index);
    return found + entry(other);
}
