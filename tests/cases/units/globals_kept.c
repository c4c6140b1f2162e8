// covet: cover % --function bounded --function describe --function call_through --symbolic-globals
// Globals are inputs that start with what the program gives them: numbers, pointers, functions. Tables stay as they are.

static int limit = 5;
static const char *title = "none";
static int table[4] = { 10, 20, 30, 40 };

static int twice(int x)
{
    return 2 * x;
}

static int negative(int x)
{
    return -x;
}

static struct {
    int (*step)(int);
    unsigned quiet : 1, level : 3;
} settings = { twice, 1, 2 };

int bounded(int x)
{
    if (limit == 5)
        return x > limit;
    if (limit == 1000)
        return 3;
    return table[1] == 20 ? 4 : 5;
}

int describe(void)
{
    if (title == 0)
        return 0;
    if (title[0] == 'n')
        return 1;
    return settings.level == 7 && !settings.quiet ? 2 : 3;
}

int call_through(int x)
{
    if (settings.step(x) == -77)
        return settings.step == negative;
    return settings.step == twice;
}
