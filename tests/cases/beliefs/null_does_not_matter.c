// Only the pointer that is followed counts, whatever else is NULL in that input.
// covet: hunt % --filter off --no-official --function one
struct item { int value; struct item *left, *right; };

int one(struct item *item, struct item *other)
{
    if (!item)
        return 0;
    if (item->value == 77 && !item->left)
        return item->left->value;
    return other != 0;
}
