// One outcome of the second branch cannot be had. It is no statement, so by statements everything is covered.
// covet: cover % --function settle --criterion statement
// covet: cover % --function settle --criterion branch
int settle(unsigned char c, int x)
{
    int r = 0;
    if (x == 90210)
        r = 2;
    if (c < 300)
        r += 1;
    return r;
}
