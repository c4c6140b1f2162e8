// covet: cover % --function logged
int level;

int logged(unsigned code)
{
    static const int weights[4] = { 1, 2, 3, 4 };
    if (level > 2 && code < 4)
        return weights[code];
    return 0;
}
