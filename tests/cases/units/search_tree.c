// A binary search tree: order, depth of three levels, and a key that is found at the third.
// covet: cover % --function look_up
#include <stddef.h>
struct tree { int key; struct tree *left, *right; };
static int depth(const struct tree *tree)
{
    if (!tree)
        return 0;
    int left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}
int look_up(const struct tree *tree, int key)
{
    int steps = 0;
    for (const struct tree *at = tree; at; steps++) {
        if (at->key == key)
            return steps == 2 && depth(tree) == 3 ? 100 : steps;
        at = key < at->key ? at->left : at->right;
    }
    return -1;
}
