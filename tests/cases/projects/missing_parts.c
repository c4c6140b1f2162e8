// covet: cover %
/* Functions and variables of files that are not here: what they give is an input, what they write through a pointer too. */
struct device;
struct reading { int level; unsigned char flags; };

extern int verbose;
int probe(int kind, int *level);
double scale(double by);
struct device *find_device(const char *name);
const char *describe(int kind);
struct reading *last_reading(void);
struct reading take(int channel);
_Noreturn void give_up(const char *why);
void note(const char *text, ...);

int both(int kind)
{
    int level = 0;
    if (probe(kind, &level) == 42 && level > 7)
        return probe(kind + 1, &level) == 43 ? 2 : 1;
    return verbose;
}

int scaled(double by)
{
    return scale(by) > 2.5;
}

int found(const char *name)
{
    struct device *device = find_device(name);
    if (!device)
        return 0;
    note("%s", name);
    return 1;
}

int described(int kind)
{
    const char *text = describe(kind);
    return text && text[0] == 'o' && text[1] == 'k';
}

int hot(void)
{
    struct reading *last = last_reading(), now = take(3);
    if (last && last->level > 100)
        return now.flags == 9;
    return 3;
}

int positive(int x)
{
    if (x <= 0)
        give_up("not positive");
    return x;
}
