// A struct that ends in a flexible array, from the heap.
// covet: cover % --function pack
#include <stdlib.h>
struct message { unsigned char length; char body[]; };

int pack(unsigned char n, char c, unsigned at)
{
    if (n > 5)
        return -1;
    struct message *m = malloc(sizeof *m + n);
    m->length = n;
    for (int i = 0; i < n; i++)
        m->body[i] = c + i;
    int result = 0;
    if (at < m->length && m->body[at] == 'q' && c == 'n')
        result = 1;
    free(m);
    return result;
}
