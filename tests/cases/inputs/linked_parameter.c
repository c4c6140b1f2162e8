// A list parameter: as long as the path needs it.
// covet: cover % --function sum --iterations 150
// covet: show trace %
// covet: show path %
// covet: show query %
// covet: show input %
struct node { int value; struct node *next; };
int sum(const struct node *list)
{
    int total = 0, length = 0;
    for (; list && length < 2; list = list->next) {
        total += list->value;
        length++;
    }
    if (length == 2 && total == 33)
        return 1;
    return length == 0 ? 2 : 0;
}
