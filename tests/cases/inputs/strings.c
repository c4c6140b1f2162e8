// A char pointer is a string.
// covet: cover % --function greet --iterations 60
int greet(const char *text)
{
    if (!text)
        return -1;
    if (text[0] == 'h' && text[1] == 'i' && text[2] == 0)
        return 1;
    int n = 0;
    while (text[n])
        n++;
    if (n == 5 && text[4] == '!')
        return 2;
    return 0;
}
