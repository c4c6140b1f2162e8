// A growing array in a struct: the capacity says how much memory there is.
// covet: cover % --function push
#include <stdlib.h>
struct vector { int *items; unsigned count, capacity; };
int push(struct vector *vector, int item)
{
    if (!vector || vector->count > vector->capacity || vector->capacity > 64)
        return -1;
    if (vector->count == vector->capacity) {
        int *more = realloc(vector->items, (vector->capacity + 4) * sizeof *more);
        if (!more)
            return -2;
        vector->items = more;
        vector->capacity += 4;
    }
    vector->items[vector->count++] = item;
    return vector->count;
}
