// A pointer picked by an index from an array of pointers: which of them it is stays open.
// covet: cover % --function pick
// covet: cover % --function either
#include <stddef.h>
int pick(int a, int b, int c, unsigned i) {
    int *all[3] = {&a, &b, &c};
    if (i > 2) return -1;
    if (*all[i] == 77 && i == 2) return 1;
    *all[i] = 5;
    return b == 5 ? 2 : 3;
}
struct node { int value; struct node *next; };
int either(struct node *left, struct node *right, unsigned which) {
    struct node *both[2] = {left, right};
    if (left == NULL || right == NULL || left == right || which > 1) return -1;
    if (both[which]->value == 12) return which == 1 ? 1 : 2;
    return 0;
}
