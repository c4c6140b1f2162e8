// A doubly linked list: links that fit, and removal from its middle.
// covet: cover % --function unlink_node
#include <stddef.h>
struct item { int key; struct item *next, *previous; };
int unlink_node(struct item *item)
{
    if (!item || !item->next || !item->previous)
        return -1;
    if (item->next->previous != item)
        return -2;
    if (item->previous->next != item)
        return -3;
    item->next->previous = item->previous;
    item->previous->next = item->next;
    return item->next->previous->key == 77 ? 1 : 0;
}
