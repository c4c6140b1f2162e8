// A small JSON reader: true, numbers, strings, arrays.
// covet: cover % --function json --iterations 2000
static const char *p;
static int value(int depth)
{
    if (depth > 3)
        return -1;
    if (*p == '[') {
        p++;
        int n = 0;
        if (*p == ']') {
            p++;
            return 10;
        }
        for (;;) {
            if (value(depth + 1) < 0)
                return -1;
            n++;
            if (*p == ']') {
                p++;
                return 10 + n;
            }
            if (*p++ != ',')
                return -1;
        }
    }
    if (*p == '"') {
        p++;
        int n = 0;
        while (*p != '"') {
            if (*p < 32)
                return -1;
            p++, n++;
        }
        p++;
        return 20 + n;
    }
    if (*p >= '0' && *p <= '9') {
        int n = 0;
        while (*p >= '0' && *p <= '9')
            n = n * 10 + *p++ - '0';
        return n == 42 ? 30 : 31;
    }
    if (p[0] == 't' && p[1] == 'r' && p[2] == 'u' && p[3] == 'e') {
        p += 4;
        return 40;
    }
    return -1;
}
int json(const char text[6])
{
    char copy[7] = {0};
    for (int i = 0; i < 6; i++)
        copy[i] = text[i];
    p = copy;
    int kind = value(0);
    if (kind < 0)
        return -1;
    if (*p)
        return -2;
    return kind == 12 ? 1 : kind == 24 ? 2 : 0;
}
