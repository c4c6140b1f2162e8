// Two pointers that are followed on one line are two alarms: mending one leaves the other.
// covet: hunt % --filter off --no-official --function heavier
struct item { int weight; };

int heavier(struct item *a, struct item *b, int by)
{
    if (by == 1 && (!a || !b))
        return 0;
    return a->weight + by > b->weight;
}
