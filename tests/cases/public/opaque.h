/* A window over a text. */
#ifndef OPAQUE_H
#define OPAQUE_H
struct window;
struct window *window_open(int size);
void window_close(struct window *window);
void window_put(struct window *window, int at, char what);
char window_get(const struct window *window, int at);
#endif
