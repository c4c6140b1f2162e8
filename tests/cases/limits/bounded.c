// Inputs have limits: arrays that nobody counts, lists, parts of large arrays. A function that comes to one of them has not been tried on every path.
// covet: cover % --function walk --until exhausted --no-official
// covet: cover % --function length --until exhausted --no-official
// covet: cover % --function last --until exhausted --no-official
// covet: cover % --function first --until exhausted --no-official
// covet: cover % --function head --until exhausted --no-official
int walk(const int *a)
{
    int steps = 0;
    while (*a++ > 0)
        steps++;
    return steps;
}

struct node {
    struct node *next;
    int value;
};

int length(const struct node *list)
{
    int length = 0;
    for (; list; list = list->next)
        length++;
    return length;
}

struct table {
    int entries[5000];
};

int last(const struct table *table)
{
    return table->entries[4999] == 7 ? 1 : 2;
}

// These do not come to an end of what was built.
int first(const struct table *table)
{
    return table->entries[0] == 7 ? 1 : 2;
}

int head(const struct node *list)
{
    return list && list->value == 3 ? 1 : 2;
}
