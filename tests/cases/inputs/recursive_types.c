// Lists and trees grow as the path asks for them.
// covet: cover % --function shape --iterations 100
struct tree { int key; struct tree *left, *right; };

int shape(const struct tree *t)
{
    if (!t)
        return 1;
    if (t->left && t->left->key == 7)
        return 2;
    if (t->right && t->right->right) {
        if (t->right->right->key > t->key)
            return 3;
        return 4;
    }
    return 0;
}
