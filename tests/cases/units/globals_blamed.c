// covet: cover %
// What needs the program in a state that it does not start in is told so, and does not count; what does not, counts. Nothing is
// sought by changing the state: `limit` guards `table`, whatever the solver would like it to be.
static int limit = 4;
static int mode;
static int table[4];
static const char *name = "none";

int entry(unsigned i)
{
    if (i < (unsigned)limit)
        return table[i];
    return -1;
}

int divide(int n)
{
    if (mode == 7)
        return n / (mode - 7);
    return 0;
}

int first(void)
{
    return name[0] == 'n';
}

int always(int n)
{
    if (mode == 3)
        return 1;
    return 100 / n;
}
