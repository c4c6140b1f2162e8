// Conversions between integers and floating point, both ways.
// covet: cover % --function casts
int casts(int i, unsigned long u, float f, double d)
{
    if ((float)i == 16777216.0f && i != 16777216)
        return 1; /* 16777217 is not a float */
    if ((double)u == 9007199254740992.0 && (u & 1))
        return 2;
    if (f >= 0 && f < 1000 && (int)f == 77 && f != 77.0f)
        return 3;
    if (d > -100 && d < 0 && (signed char)d == -42)
        return 4;
    if (d > 4e9 && d < 5e9 && (unsigned)(long)d == 1)
        return 5;
    if ((double)f == 0.1)
        return 6; /* never: 0.1 is no float */
    if ((float)d == 0.1f && d < 0.1)
        return 7;
    return 0;
}
