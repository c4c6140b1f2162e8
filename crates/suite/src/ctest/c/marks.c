/* ---- Values for inputs that the source itself asks for ----------------------------------------------------------------------
 * The n-th value of a name within a test is called name#n; parts of an object are name[i] or name.offset. */

struct covtest_mark {
    const char *name;
    unsigned width;
    unsigned long long low, high;
};

static const struct covtest_mark *covtest_marks;
static unsigned covtest_mark_count;
static int covtest_leaves_after_marks;

/* All values of one name and width, one after the other. */
static struct { const char *name; unsigned width; const long long *values; unsigned long count; } covtest_lists[64];
static unsigned covtest_list_count;

COVTEST_UNUSED static void covtest_use_values(const char *name, unsigned width, const long long *values, unsigned long count)
{
    if (covtest_list_count == 64)
        return;
    covtest_lists[covtest_list_count].name = name;
    covtest_lists[covtest_list_count].width = width;
    covtest_lists[covtest_list_count].values = values;
    covtest_lists[covtest_list_count++].count = count;
}

struct covtest_seen {
    struct covtest_seen *next;
    unsigned times;
    char name[1];
};

static struct covtest_seen *covtest_seen_names;

COVTEST_UNUSED static void covtest_use_marks(const struct covtest_mark *marks, unsigned count)
{
    covtest_marks = marks;
    covtest_mark_count = count;
}

/* The program would go on asking for values: it leaves when it asks for one that the test does not have. */
COVTEST_UNUSED static void covtest_leave_after_marks(void)
{
    covtest_leaves_after_marks = 1;
}

static void covtest_no_mark(void)
{
    if (covtest_leaves_after_marks)
        covtest_exit(0);
}

/* Writes the name this value has in the record. */
static unsigned covtest_label(char *label, unsigned long size, const char *name)
{
    struct covtest_seen *seen;
    unsigned long length;
    if (name == NULL)
        name = "unnamed";
    length = __builtin_strlen(name);
    for (seen = covtest_seen_names; seen && __builtin_strcmp(seen->name, name) != 0; seen = seen->next)
        ;
    if (!seen) {
        const unsigned long refusals = covtest_refusals;
        covtest_refusals = 0; /* this is no allocation of the tested code */
        seen = (struct covtest_seen *)covtest_malloc(sizeof *seen + length);
        covtest_refusals = refusals;
        seen->next = covtest_seen_names;
        seen->times = 0;
        __builtin_memcpy(seen->name, name, length + 1);
        covtest_seen_names = seen;
    }
    if (!covtest_mark_count)
        label[0] = 0; /* nobody will look for it, and a program may ask for millions */
    if (++seen->times == 1 && covtest_mark_count)
        covtest_snprintf(label, size, "%s", name);
    else if (covtest_mark_count)
        covtest_snprintf(label, size, "%s#%u", name, seen->times);
    return seen->times;
}

COVTEST_UNUSED static unsigned long long covtest_mark(const char *name, unsigned width)
{
    char label[256], other[288];
    unsigned i, clash, number = covtest_label(label, sizeof label, name);
    for (i = 0; name && i < covtest_list_count; i++)
        if (covtest_lists[i].width == width && __builtin_strcmp(covtest_lists[i].name, name) == 0 && number <= covtest_lists[i].count)
            return (unsigned long long)covtest_lists[i].values[number - 1];
    if (covtest_mark_count)
        covtest_snprintf(other, sizeof other, "%s", label);
    for (clash = 2; covtest_mark_count && clash < 18; clash++) {
        for (i = 0; i < covtest_mark_count; i++)
            if (covtest_marks[i].width == width && __builtin_strcmp(covtest_marks[i].name, other) == 0)
                return covtest_marks[i].low;
        covtest_snprintf(other, sizeof other, "%s#w%u.%u", label, width, clash);
    }
    covtest_no_mark();
    return 0;
}

static unsigned long covtest_number(const char *digits)
{
    unsigned long number = 0;
    while (*digits >= '0' && *digits <= '9')
        number = number * 10 + (unsigned long)(*digits++ - '0');
    return number;
}

COVTEST_UNUSED static void covtest_mark_object(void *object, unsigned long size, const char *name)
{
    char label[256];
    unsigned long length;
    unsigned i, found = 0, number = covtest_label(label, sizeof label, name);
    length = __builtin_strlen(label);
    __builtin_memset(object, 0, size);
    for (i = 0; name && i < covtest_list_count; i++)
        if (__builtin_strcmp(covtest_lists[i].name, name) == 0 && number <= covtest_lists[i].count) {
            unsigned long bytes = (covtest_lists[i].width + 7) / 8;
            found = 1;
            __builtin_memcpy(object, &covtest_lists[i].values[number - 1], bytes < size ? bytes : size);
        }
    for (i = 0; i < covtest_mark_count; i++) {
        const struct covtest_mark *mark = &covtest_marks[i];
        unsigned long bytes = (mark->width + 7) / 8, stride = 1, at = 0;
        unsigned long long halves[2];
        if (__builtin_strncmp(mark->name, label, length) != 0)
            continue;
        while (stride < bytes)
            stride *= 2; /* a long double has ten bytes and takes sixteen */
        if (mark->name[length] == '[')
            at = covtest_number(mark->name + length + 1) * stride;
        else if (mark->name[length] == '.')
            at = covtest_number(mark->name + length + 1);
        else if (mark->name[length] != 0)
            continue;
        found = 1;
        halves[0] = mark->low;
        halves[1] = mark->high;
        if (bytes <= sizeof halves && at + bytes <= size)
            __builtin_memcpy((char *)object + at, halves, bytes);
    }
    if (!found && size)
        covtest_no_mark();
}

COVTEST_UNUSED static void covtest_assumed(int holds)
{
    if (holds)
        return;
    covtest_report->unassumed = covtest_report->differs = covtest_report->returned = 1;
    covtest_exit(0);
}

COVTEST_UNUSED __attribute__((__noreturn__)) static void covtest_failed(void)
{
    __builtin_abort();
}

/* Defines `symbol` (unless another file of the program does) under a name that cannot clash in this one. */
#define COVTEST_DEFINE(type, name, symbol, parameters) \
    __attribute__((weak)) type name parameters __asm__(symbol); \
    type name parameters
