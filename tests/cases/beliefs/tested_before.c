// What a variable holds after a test is not tested by it; what it held before, and what a loop puts there for the next round, is.
// covet: hunt % --filter off --no-official --function copy --function walk
#include <string.h>

struct node { struct node *next; int value; };

void copy(char *to, const char *from, int cut)
{
    char *end;
    to[0] = from[0];
    if (cut) {
        end = strchr(from, '/');
        if (end)
            *end = 0;
    } else {
        end = to;
        *end = 1;
    }
}

int walk(struct node *list)
{
    struct node *node = list;
    int sum = 0;
    while (node) {
        sum += node->value;
        node = node->next;
    }
    return sum + list->value;
}
