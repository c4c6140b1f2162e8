// Sorted insertion and removal in a singly linked list. The seeded bug looks at the node behind the last one.
// covet: cover % --function insert --function remove_all --function third
// covet: cover % --function insert --function remove_all --function third -- -DBUG
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *insert(struct node *head, int value)
{
    struct node **link = &head;
#ifdef BUG
    while ((*link)->value < value)
#else
    while (*link && (*link)->value < value)
#endif
        link = &(*link)->next;
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return head;
    fresh->value = value;
    fresh->next = *link;
    *link = fresh;
    return head;
}

int remove_all(struct node **head, int value)
{
    int removed = 0;
    if (!head)
        return -1;
    while (*head) {
        if ((*head)->value == value) {
            *head = (*head)->next;
            removed++;
        } else {
            head = &(*head)->next;
        }
    }
    return removed;
}

int third(const struct node *list)
{
    if (!list || !list->next || !list->next->next)
        return 0;
    if (list->value == 3 && list->next->value == 1 && list->next->next->value == 2)
        return 312;
    return list->next->next->value > 100;
}
