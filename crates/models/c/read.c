/* Reading characters, lines and blocks from streams.
 *
 * Turns calls on a stream of ours into reads of its symbolic bytes, calls on any other into the native ones; memory that
 * the library filled is known to be concrete afterwards. */
#include "covet/files.h"
#include <stdlib.h>

int MODEL(fgetc)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    return s ? __covet_model_get(s) : getc(file);
}
int MODEL(getc)(FILE *file) { return MODEL(fgetc)(file); }
int MODEL(_IO_getc)(FILE *file) { return MODEL(fgetc)(file); }
int MODEL(getc_unlocked)(FILE *file) { return MODEL(fgetc)(file); }
int MODEL(fgetc_unlocked)(FILE *file) { return MODEL(fgetc)(file); }
int MODEL(__uflow)(FILE *file) { return MODEL(fgetc)(file); }
int MODEL(getchar)(void) { return MODEL(fgetc)(stdin); }
int MODEL(getchar_unlocked)(void) { return MODEL(fgetc)(stdin); }

int MODEL(__underflow)(FILE *file) {
    int c = MODEL(fgetc)(file);
    struct stream *s = __covet_model_stream(file);
    if (c == EOF) return EOF;
    return s ? __covet_model_unget(c, s) : ungetc(c, file);
}

int MODEL(ungetc)(int c, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    return s ? __covet_model_unget(c, s) : ungetc(c, file);
}

char *MODEL(fgets)(char *to, int size, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    int n = 0, c;
    if (!s) {
        char *line = fgets(to, size, file);
        if (line) written(to, strlen(to) + 1);
        return line;
    }
    if (size <= 0) return NULL;
    if (size == 1) {
        *to = 0;
        return to;
    }
    while (n < size - 1) {
        if ((c = __covet_model_get(s)) == EOF) break;
        to[n++] = (char)c;
        if (c == '\n') break;
    }
    if (n == 0) return NULL;
    to[n] = 0;
    return to;
}
char *MODEL(fgets_unlocked)(char *to, int size, FILE *file) { return MODEL(fgets)(to, size, file); }
char *MODEL(__fgets_chk)(char *to, size_t room, int size, FILE *file) { (void)room; return MODEL(fgets)(to, size, file); }

char *MODEL(gets)(char *to) {
    size_t n = 0;
    int c;
    for (;;) {
        c = MODEL(fgetc)(stdin);
        if (c == EOF || c == '\n') break;
        to[n++] = (char)c;
    }
    if (c == EOF && n == 0) return NULL;
    to[n] = 0;
    return to;
}

size_t MODEL(fread)(void *to, size_t width, size_t count, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    unsigned char *bytes = to;
    size_t total = width * count, n = 0;
    if (!s) {
        size_t items = fread(to, width, count, file);
        written(to, items * width);
        return items;
    }
    if (total == 0) return 0;
    while (n < total) {
        int c = __covet_model_get(s);
        if (c == EOF) return n / width;
        bytes[n++] = (unsigned char)c;
    }
    return count;
}
size_t MODEL(fread_unlocked)(void *to, size_t width, size_t count, FILE *file) {
    return MODEL(fread)(to, width, count, file);
}
size_t MODEL(__fread_chk)(void *to, size_t room, size_t width, size_t count, FILE *file) {
    (void)room;
    return MODEL(fread)(to, width, count, file);
}

int MODEL(getw)(FILE *file) {
    int word;
    return MODEL(fread)(&word, sizeof word, 1, file) == 1 ? word : EOF;
}

/* Makes room for `needed` bytes as the native function does: at least doubled. */
static int room_for(char **line, size_t *room, size_t needed) {
    char *bigger;
    if (needed <= *room) return 1;
    if (needed < 2 * *room) needed = 2 * *room;
    if ((bigger = __covet_heap_realloc(*line, needed)) == NULL) return 0;
    *line = bigger;
    *room = needed;
    return 1;
}

/* Written out for every stream: the line lives on the program's heap, which is not the library's. */
ssize_t MODEL(getdelim)(char **line, size_t *room, int stop, FILE *file) {
    size_t n = 0;
    int c;
    if (line == NULL || room == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (*line == NULL || *room == 0) {
        if ((*line = __covet_heap_realloc(*line, 120)) == NULL) return -1;
        *room = 120;
    }
    do {
        if ((c = MODEL(fgetc)(file)) == EOF) break;
        if (!room_for(line, room, n + 2)) return -1;
        (*line)[n++] = (char)c;
    } while (c != stop);
    if (n == 0) return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}
ssize_t MODEL(__getdelim)(char **line, size_t *room, int stop, FILE *file) {
    return MODEL(getdelim)(line, room, stop, file);
}
ssize_t MODEL(getline)(char **line, size_t *room, FILE *file) { return MODEL(getdelim)(line, room, '\n', file); }
