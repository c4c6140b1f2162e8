// Arrays that end their structure may be longer than they say; a member's address leads back to its structure.
// covet: cover % --function sum
#include <stddef.h>
#include <stdlib.h>
struct old { int count; int data[1]; };
struct new { int count; short data[]; };
struct node { int key; struct node *next; int value; };
static int of_value(int *value) {
    struct node *n = (struct node *)((char *)value - offsetof(struct node, value));
    return n->key;
}
int sum(unsigned n, unsigned i) {
    if (n > 5 || i >= n) return 0;
    struct old *o = malloc(sizeof *o + n * sizeof(int));
    struct new *f = malloc(sizeof *f + n * sizeof(short));
    if (!o || !f) { free(o); free(f); return 0; }
    for (unsigned k = 0; k < n; k++) o->data[k] = f->data[k] = (short)k;
    struct node d = {7, 0, 9};
    int result = o->data[i] + f->data[i] + of_value(&d.value);
    free(o);
    free(f);
    return result == 9;
}
