// What is in use is no more than there is room for; but one too many is still one too many.
// covet: hunt % --filter off --no-official --function push --function push_wrong
// covet: show invariants %
struct list { int *items; unsigned count, capacity; };

int push(struct list *list, int item)
{
    if (list->count == list->capacity)
        return 0;
    list->items[list->count++] = item;
    return 1;
}

int push_wrong(struct list *list, int item)
{
    if (list->count > list->capacity)
        return 0;
    list->items[list->count++] = item;
    return 1;
}
