/* ---- Values for inputs that the source itself asks for ----------------------------------------------------------------------
 * The n-th value of a name within a test is called name#n; parts of an object are name[i] or name.offset. */

struct covet_mark {
    const char *name;
    unsigned width;
    unsigned long long low, high;
};

static const struct covet_mark *covet_marks;
static unsigned covet_mark_count;

struct covet_seen {
    struct covet_seen *next;
    unsigned times;
    char name[1];
};

static struct covet_seen *covet_seen_names;

COVET_UNUSED static void covet_use_marks(const struct covet_mark *marks, unsigned count)
{
    covet_marks = marks;
    covet_mark_count = count;
}

/* Writes the name this value has in the record. */
static void covet_label(char *label, unsigned long size, const char *name)
{
    struct covet_seen *seen;
    unsigned long length;
    if (name == NULL)
        name = "unnamed";
    length = __builtin_strlen(name);
    for (seen = covet_seen_names; seen && __builtin_strcmp(seen->name, name) != 0; seen = seen->next)
        ;
    if (!seen) {
        seen = (struct covet_seen *)covet_malloc(sizeof *seen + length);
        seen->next = covet_seen_names;
        seen->times = 0;
        __builtin_memcpy(seen->name, name, length + 1);
        covet_seen_names = seen;
    }
    if (++seen->times == 1)
        covet_snprintf(label, size, "%s", name);
    else
        covet_snprintf(label, size, "%s#%u", name, seen->times);
}

COVET_UNUSED static unsigned long long covet_mark(const char *name, unsigned width)
{
    char label[256], other[288];
    unsigned i, clash;
    covet_label(label, sizeof label, name);
    covet_snprintf(other, sizeof other, "%s", label);
    for (clash = 2; clash < 18; clash++) {
        for (i = 0; i < covet_mark_count; i++)
            if (covet_marks[i].width == width && __builtin_strcmp(covet_marks[i].name, other) == 0)
                return covet_marks[i].low;
        covet_snprintf(other, sizeof other, "%s#w%u.%u", label, width, clash);
    }
    return 0;
}

static unsigned long covet_number(const char *digits)
{
    unsigned long number = 0;
    while (*digits >= '0' && *digits <= '9')
        number = number * 10 + (unsigned long)(*digits++ - '0');
    return number;
}

COVET_UNUSED static void covet_mark_object(void *object, unsigned long size, const char *name)
{
    char label[256];
    unsigned long length;
    unsigned i;
    covet_label(label, sizeof label, name);
    length = __builtin_strlen(label);
    __builtin_memset(object, 0, size);
    for (i = 0; i < covet_mark_count; i++) {
        const struct covet_mark *mark = &covet_marks[i];
        unsigned long bytes = (mark->width + 7) / 8, at = 0;
        unsigned long long halves[2];
        if (__builtin_strncmp(mark->name, label, length) != 0)
            continue;
        if (mark->name[length] == '[')
            at = covet_number(mark->name + length + 1) * bytes;
        else if (mark->name[length] == '.')
            at = covet_number(mark->name + length + 1);
        else if (mark->name[length] != 0)
            continue;
        halves[0] = mark->low;
        halves[1] = mark->high;
        if (bytes <= sizeof halves && at + bytes <= size)
            __builtin_memcpy((char *)object + at, halves, bytes);
    }
}

COVET_UNUSED static void covet_assumed(int holds)
{
    if (holds)
        return;
    covet_snprintf(covet_report->got, sizeof covet_report->got, "an assumption that did not hold");
    covet_report->differs = covet_report->returned = 1;
    covet_exit(0);
}

COVET_UNUSED __attribute__((noreturn)) static void covet_failed(void)
{
    __builtin_abort();
}

/* Defines `symbol` (unless another file of the program does) under a name that cannot clash in this one. */
#define COVET_DEFINE(type, name, symbol, parameters) \
    __attribute__((weak)) type name parameters __asm__(#symbol); \
    type name parameters
