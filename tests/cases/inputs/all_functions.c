// Without --function every function of the file is covered.
// covet: cover %
int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    return 0;
}

static int is_leap(unsigned year)
{
    if (year % 4)
        return 0;
    if (year % 100)
        return 1;
    return year % 400 == 0;
}

unsigned days(unsigned month, unsigned year)
{
    switch (month) {
    case 2:
        if (is_leap(year))
            return 29;
        return 28;
    case 4: case 6: case 9: case 11: return 30;
    default: return month - 1 < 12 ? 31 : 0;
    }
}
