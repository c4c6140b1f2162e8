// A made-up window may have any size and any text; those that window_open makes are as large as they say. Nothing here is confirmed.
// covet: hunt %
#include "opaque.h"
#include <stdlib.h>

struct window {
    int size;
    char *text;
};

struct window *window_open(int size)
{
    if (size <= 0 || size > 64)
        return NULL;
    struct window *window = malloc(sizeof *window);
    if (!window)
        return NULL;
    window->size = size;
    window->text = calloc(1, (size_t)size);
    if (!window->text) {
        free(window);
        return NULL;
    }
    return window;
}

void window_close(struct window *window)
{
    free(window->text);
    free(window);
}

void window_put(struct window *window, int at, char what)
{
    if (at >= 0 && at < window->size)
        window->text[at] = what;
}

char window_get(const struct window *window, int at)
{
    return at >= 0 && at < window->size ? window->text[at] : 0;
}
