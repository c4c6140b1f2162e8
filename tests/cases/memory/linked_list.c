// A list built on the heap from input, reversed, then searched.
// covet: cover % --function list
#include <stdlib.h>
struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    return node;
}

static struct node *reverse(struct node *head)
{
    struct node *back = 0;
    while (head) {
        struct node *next = head->next;
        head->next = back;
        back = head;
        head = next;
    }
    return back;
}

int list(const int values[3])
{
    struct node *head = 0;
    for (int i = 0; i < 3; i++)
        if (values[i] != 0)
            head = push(head, values[i]);
    if (!head)
        return -1;
    head = reverse(head);
    if (head->value == 5 && head->next && head->next->value == 6)
        return head->next->next ? 1 : 2;
    return head->next ? 3 : 4;
}
