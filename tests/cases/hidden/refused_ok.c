// The same with all of them checked.
// covet: hunt % --function pair
#include <stdlib.h>

struct pair {
    char *left, *right;
};

struct pair *pair(char first)
{
    struct pair *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    if ((made->left = calloc(1, 8)) == NULL) {
        free(made);
        return NULL;
    }
    made->left[0] = first;
    made->right = realloc(NULL, 16);
    if (!made->right) {
        free(made->left);
        free(made);
        return NULL;
    }
    made->right[0] = first;
    return made;
}
