// A singly linked list: one exact list, an empty one, a cycle of one.
// covet: cover % --function inspect
#include <stddef.h>
struct node { int value; struct node *next; };
int inspect(const struct node *list)
{
    if (!list)
        return 0;
    if (list->next == list)
        return 1;
    const struct node *second = list->next;
    if (list->value == 3 && second && second->value == 1) {
        const struct node *third = second->next;
        if (third && third->value == 2 && !third->next)
            return 2;
        if (third == list)
            return 3;
    }
    return 4;
}
