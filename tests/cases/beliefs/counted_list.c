// A number beside the first node of a list counts nodes: it is no length of an array, and a list without nodes is NULL.
// covet: hunt % --filter off --no-official --function total --function drop
#include <stdlib.h>

struct node { struct node *next; int value; };
struct list { struct node *first; int count; };

int total(const struct list *list)
{
    int sum = 0;
    for (const struct node *node = list->first; node; node = node->next)
        sum += node->value & 7;
    return sum;
}

void drop(struct list *list)
{
    struct node *node = list->first;
    if (!node)
        return;
    free(node);
    list->first = node->next;
}
