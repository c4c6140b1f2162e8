// Whether memory runs out is an input: of three allocations the last is not checked.
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
    made->right[0] = first;
    return made;
}
