// What only a global switches on.
// covet: cover % --function logged
int level;

void set_level(int wanted)
{
    level = wanted;
}

int logged(unsigned code)
{
    static const int weights[4] = { 1, 2, 3, 4 };
    if (level > 2)
        return weights[code];
    return 0;
}
