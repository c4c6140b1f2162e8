// covet: cover % --function last
#include <stdlib.h>
struct node { int value; struct node *next; };
int last(unsigned n) {
    struct node *list = 0;
    if (n > 3) return 0;
    for (unsigned i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh) break;
        fresh->value = (int)i;
        fresh->next = list;
        list = fresh;
    }
    int sum = 0;
    for (struct node *at = list; at; at = at->next) {
        sum += at->value;
        free(at);
    }
    return sum;
}
