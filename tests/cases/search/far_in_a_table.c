// What stands in no table is asked for at once, not entry by entry.
// covet: cover % --function name_of --function class_of --iterations 12
static const struct { unsigned short code; const char *name; } codes[] = {
    { 3, "a" }, { 17, "b" }, { 21, "c" }, { 34, "d" }, { 55, "e" }, { 60, "f" }, { 71, "g" }, { 82, "h" },
    { 90, "i" }, { 101, "j" }, { 103, "k" }, { 107, "l" }, { 109, "m" }, { 113, "n" }, { 127, "o" }, { 131, "p" },
};

const char *name_of(unsigned short code)
{
    for (unsigned at = 0; at < sizeof codes / sizeof *codes; at++)
        if (codes[at].code == code)
            return codes[at].name;
    return "none";
}

int class_of(int c)
{
    if (c == 0)
        return 1;
    for (unsigned at = 0; at < sizeof codes / sizeof *codes; at++)
        if (codes[at].code == c)
            return 2;
    return c > 1000 ? 3 : 4;
}
