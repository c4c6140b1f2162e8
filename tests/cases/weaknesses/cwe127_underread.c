// CWE-127: a negative index, because only the upper bound is looked at.
// covet: cover % --function bad
// covet: cover % --function good
static const short table[5] = {1, 2, 3, 4, 5};

int bad(int index)
{
    if (index < 5)
        return table[index] == 3;
    return -1;
}

int good(int index)
{
    if (index >= 0 && index < 5)
        return table[index] == 3;
    return -1;
}
