// A search tree: look-up, and a test of its order. The seeded bug takes the left child for granted when it looks for the smallest key.
// covet: cover % --function find --function is_ordered --function smallest_right
// covet: cover % --function find --function is_ordered --function smallest_right -- -DBUG
#include <limits.h>
#include <stddef.h>

struct tree {
    int key;
    struct tree *left, *right;
};

int find(const struct tree *node, int key)
{
    int depth = 0;
    while (node) {
        if (node->key == key)
            return depth;
        node = key < node->key ? node->left : node->right;
        depth++;
    }
    return -1;
}

static int between(const struct tree *node, long low, long high)
{
    if (!node)
        return 1;
    if (node->key <= low || node->key >= high)
        return 0;
    return between(node->left, low, node->key) && between(node->right, node->key, high);
}

int is_ordered(const struct tree *root)
{
    if (!root || !root->left || !root->right)
        return 2;
    return between(root, (long)INT_MIN - 1, (long)INT_MAX + 1);
}

int smallest_right(const struct tree *root)
{
    if (!root || !root->right)
        return 0;
    const struct tree *node = root->right;
#ifdef BUG
    if (root->key > 1000)
        return node->left->key;
#endif
    while (node->left)
        node = node->left;
    return node->key;
}
