// A parameter used without a check: NULL is an input like any other.
// covet: cover % --function length
int length(const char *text)
{
    int n = 0;
    while (text[n] && n < 3)
        n++;
    return n;
}
