// covet: cover % --function set_size
// A handle whose private part is known to this file only; the number beside it is no count of handles.
#include <stddef.h>

struct handle { unsigned have; };
struct state { struct handle x; int mode; unsigned size; };

int set_size(struct handle *file, unsigned size) {
    struct state *state = (struct state *)file;
    if (file == NULL)
        return -1;
    if (state->mode != 7247)
        return -2;
    if (state->size != 0)
        return -3;
    if (size < 2)
        size = 2;
    state->size = size;
    return 0;
}
