// A text that is only read ends at its zero; a buffer that is written to has any length.
// covet: hunt % --filter off --no-official --function skip --function put
int skip(const char *text)
{
    int n = 0;
    if (!text[0])
        return 0;
    while (text[n] != ':')
        n++;
    return n;
}

void put(char *to, unsigned at)
{
    to[at] = 'x';
}
