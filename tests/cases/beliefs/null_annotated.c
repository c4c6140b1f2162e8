// Types say it.
// covet: hunt % --filter off --no-official --function may --function may_not
struct item { int value; };

int may(struct item *_Nullable item) { return item->value; }

int may_not(struct item *_Nonnull item)
{
    int value = item->value;
    if (!item)
        return -1;
    return value;
}
