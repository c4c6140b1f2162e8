// A pointer that the function itself tests may be NULL; one that nobody tests may not.
// covet: hunt % --filter off --no-official --function tested --function untested
struct item { int kind, value; };

int tested(struct item *item, int verbose)
{
    int kind = 0;
    if (item)
        kind = item->kind;
    if (verbose > kind)
        return item->value;
    return kind;
}

int untested(struct item *item, int verbose)
{
    if (verbose)
        return item->value;
    return 0;
}
