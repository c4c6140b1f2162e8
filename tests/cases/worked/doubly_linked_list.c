// Unlinking from a doubly linked list whose neighbours must agree. The seeded bug trusts that a node has a successor.
// covet: cover % --function unlink_node --function is_linked
// covet: cover % --function unlink_node --function is_linked -- -DBUG
#include <stddef.h>

struct node {
    int key;
    struct node *prev, *next;
};

struct list {
    struct node *first, *last;
    unsigned count;
};

int is_linked(const struct node *node)
{
    if (!node || !node->next)
        return 0;
    if (node->next->prev == node)
        return 1;
    return 2;
}

int unlink_node(struct list *list, struct node *node)
{
    if (!list || !node)
        return -1;
    if (node->prev)
        node->prev->next = node->next;
    else
        list->first = node->next;
#ifdef BUG
    node->next->prev = node->prev;
    if (list->last == node)
        list->last = node->prev;
#else
    if (node->next)
        node->next->prev = node->prev;
    else
        list->last = node->prev;
#endif
    if (list->count > 0)
        list->count--;
    return list->count == 0;
}
