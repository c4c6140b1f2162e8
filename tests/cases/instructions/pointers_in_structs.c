// Structs that point to each other, followed in both directions. The ring has no end, and the walk stops at its last node.
// covet: cover % --function links
struct node { int value; struct node *left, *right; };
int links(int a, int b, int c)
{
    struct node x = {a, 0, 0}, y = {b, &x, 0}, z = {c, &x, &y};
    x.right = &y;
    y.right = &z;
    struct node *at = &x;
    while (at->right && at->value < at->right->value && at != &z)
        at = at->right;
    if (at == &z)
        return at->left->value == 7 ? 1 : 2;
    if (at == &y)
        return at->left->right->right->value == -9 ? 3 : 4;
    return 0;
}
