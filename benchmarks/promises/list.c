// Structures that grow with every run.
// promise: memory
// covet: cover % --function f --time 6 --memory 1500
// check: peak 1500; branches 4
struct node {
    int value;
    struct node *left, *right;
};
int f(struct node *at)
{
    int n = 0;
    while (at) {
        n += at->value == n;
        at = at->value > 0 ? at->left : at->right;
    }
    return n;
}
