// float and double arithmetic, rounding included.
// covet: cover % --function floats
int floats(float a, double b)
{
    if (a * 2.0f == 3.5f)
        return 1;
    if (a > 16777216.0f && a < 16777220.0f) /* only even numbers here */
        return 2;
    if (b + 0.1 == 0.3)
        return 3;
    if (b * 4.0 == 0.125)
        return 4;
    if (a - (float)b == 0.5f && b == 10.25)
        return 5;
    return 0;
}
