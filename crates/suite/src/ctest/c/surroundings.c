
/* ---- What the system gave ------------------------------------------------------------------------------------------------------ */

/* Calls that the record has answers for give them; all others go to the system. */
static int covtest_has_mark(const char *name)
{
    unsigned i;
    for (i = 0; i < covtest_list_count; i++)
        if (__builtin_strcmp(covtest_lists[i].name, name) == 0)
            return 1;
    for (i = 0; i < covtest_mark_count; i++)
        if (__builtin_strcmp(covtest_marks[i].name, name) == 0)
            return 1;
    return 0;
}

#define COVET_OS COVTEST_UNUSED static
#define COVET_ANSWER(name) covtest_os_##name
#define COVET_ASKED(label) covtest_has_mark(label)
#define COVET_INPUT(kind, width, label) covtest_mark(label, width)
#define COVET_FILL(to, size, label) covtest_mark_object(to, size, label)
#define COVET_PLAIN(value) (value)
#define COVET_PINNED(value) (value)
#define COVET_COUNTED(value) (value)
#define COVET_ASSUME(condition) ((void)0)
