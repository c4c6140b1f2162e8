// A pointer is followed and then tested: the code contradicts itself. A test of what was stored there meanwhile is about that.
// covet: hunt % --filter off --no-official --function after --function replaced
struct item { int value; struct item *next; };

int after(struct item *item)
{
    int value = item->value;
    if (!item)
        return -1;
    return value;
}

int replaced(struct item *item)
{
    int value = item->value;
    item = item->next;
    if (!item)
        return -1;
    return value;
}
