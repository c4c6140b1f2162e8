/* Symbolic files as the stdio and descriptor models share them.
 *
 * A *description* is an open file description of a symbolic file: contents, offset, how many descriptors and streams
 * refer to it. A *stream* is a FILE of ours over a description. Invariant: a descriptor number below
 * MODEL_DESCRIPTORS maps to a description exactly while the program sees a symbolic file there. */
#ifndef COVET_FILES_H
#define COVET_FILES_H
#include "covet/model.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/types.h>

enum { MODEL_DESCRIPTORS = 1024, MODEL_DESCRIPTIONS = 64, MODEL_STREAMS = 32, MODEL_FILES = 64, PUSHED_BACK = 16, BUFFERED = 4096 };

struct description {
    /* Number of the symbolic file, -1 when this slot is free. */
    int file;
    int references;
    int flags;
    /* Next byte a read gives. May be symbolic after a seek from the end. */
    uint64_t offset;
    /* The contents once the program has written to them (then `size` and `room` count), NULL before. */
    unsigned char *own;
    uint64_t size, room;
};

struct stream {
    /* What inlined stdio macros look at: all zero, so they call functions. */
    FILE face;
    /* What the program calls it, when that is not its face: a stream that is part of the input. */
    FILE *given;
    struct description *on;
    int descriptor;
    int readable, writable;
    /* Next byte of the file, and end of the bytes taken from the description. */
    uint64_t at, limit;
    unsigned char pushed[PUSHED_BACK];
    int pushed_count;
    int eof, error;
};

/* The description behind a descriptor; NULL when it is the system's. */
struct description *__covet_model_description(int descriptor);
/* Number of the symbolic file of this name, -1 when it is not symbolic. */
int __covet_model_file(const char *name);
/* A new description of the symbolic file `name`, bound to a new descriptor; -1 when there is no such symbolic file. */
int __covet_model_open(const char *name, int flags);
int __covet_model_open_file(int file, int flags);
/* A call that opens a file which is neither symbolic nor the run's own: a descriptor of one whose contents are input, -1 when it is not there,
 * ASK_SYSTEM when the system is to be asked. */
int __covet_model_open_outside(const char *name, int flags);
enum { ASK_SYSTEM = -2 };
int __covet_model_close(int descriptor);
uint64_t __covet_model_size(const struct description *d);
int __covet_model_byte(const struct description *d, uint64_t at);
/* Writes at an offset, growing the contents; gives the number of bytes written. */
size_t __covet_model_write(struct description *d, uint64_t at, const void *bytes, size_t length);
/* Number of bytes to read at `at`: `most`, or what is left; concrete, one path per shorter length. */
size_t __covet_model_available(const struct description *d, uint64_t at, size_t most);

/* Our stream behind a FILE; NULL when it is the library's. */
struct stream *__covet_model_stream(FILE *file);
int __covet_model_get(struct stream *s);
int __covet_model_unget(int c, struct stream *s);

/* Native streams the run opened: closed when it ends. */
void __covet_model_opened(FILE *file);
void __covet_model_closed(FILE *file);
#endif
