// What a function calls tests the pointer on the way; then it is followed all the same. A callee that would test it later is no reason.
// covet: hunt % --filter off --no-official --function before --function later
struct item { int value; };

static int is_good(const struct item *item)
{
    return item && item->value > 0;
}

int before(struct item *item)
{
    if (is_good(item))
        return 1;
    return item->value;
}

int later(struct item *item)
{
    int value = item->value;
    return value + is_good(item);
}
