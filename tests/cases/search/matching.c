// A matcher for ? and * over symbolic text and pattern.
// covet: cover % --function match --iterations 500
static int glob(const char *pattern, const char *text)
{
    if (*pattern == 0)
        return *text == 0;
    if (*pattern == '*')
        return glob(pattern + 1, text) || (*text && glob(pattern, text + 1));
    if (*text && (*pattern == '?' || *pattern == *text))
        return glob(pattern + 1, text + 1);
    return 0;
}

int match(const char p[3], const char t[3])
{
    char pattern[4] = {p[0], p[1], p[2], 0}, text[4] = {t[0], t[1], t[2], 0};
    if (!glob(pattern, text))
        return 0;
    if (pattern[0] == '*' && pattern[1] == '?' && pattern[2] == 'x' && text[1] == 'y')
        return 1;
    return 2;
}
