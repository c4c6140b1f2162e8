/* Open symbolic files: contents, sizes, offsets.
 *
 * Turns the runtime's symbolic files into descriptions that descriptors and streams share. A descriptor number of a
 * symbolic file is a real one (a duplicate that nobody reads), so that numbering is that of the plain program. */
#include "covet/files.h"
#include "covet/outside.h"
#include <stdlib.h>
#include <unistd.h>

static struct description descriptions[MODEL_DESCRIPTIONS];
/* 1 + number of the description, 0: the system's. */
static short behind[MODEL_DESCRIPTORS];
static int ready;

static struct description *fresh(int file, int flags) {
    int i;
    for (i = 0; i < MODEL_DESCRIPTIONS; i++) {
        struct description *d = &descriptions[i];
        if (d->file >= 0) continue;
        d->file = file;
        d->flags = flags;
        d->references = 0;
        d->offset = 0;
        d->own = NULL;
        d->size = d->room = 0;
        return d;
    }
    errno = ENFILE;
    return NULL;
}

static void bind(int descriptor, struct description *d) {
    behind[descriptor] = (short)(1 + (d - descriptions));
    d->references++;
}

/* Standard input is there before anything is opened. */
static void prepare(void) {
    int i;
    if (ready) return;
    ready = 1;
    for (i = 0; i < MODEL_DESCRIPTIONS; i++) descriptions[i].file = -1;
    if (__covet_stdin_symbolic()) bind(0, fresh(0, O_RDONLY)); /* the runtime's file 0 */
}

struct description *__covet_model_description(int descriptor) {
    prepare();
    if (descriptor < 0 || descriptor >= MODEL_DESCRIPTORS || !behind[descriptor]) return NULL;
    return &descriptions[behind[descriptor] - 1];
}

/* A descriptor number to stand for a symbolic file, at least `from`. */
static int reserve(int from) {
    int descriptor = fcntl(2, F_DUPFD, from);
    if (descriptor < 0) descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor >= MODEL_DESCRIPTORS) {
        close(descriptor);
        errno = EMFILE;
        descriptor = -1;
    }
    return descriptor;
}

/* One decision for each character: a name that is input becomes that of a file. */
static int is_same(const char *name, const char *known) {
    size_t at;
    for (at = 0; name[at] == known[at]; at++)
        if (!known[at]) return 1;
    return 0;
}

int __covet_model_file(const char *name) {
    const char *known;
    int file;
    if (name == NULL) return -1;
    if (__covet_stdin_symbolic() && strcmp(name, "/dev/stdin") == 0) return 0;
    for (file = 1; (known = __covet_file_name(file)) != NULL; file++)
        if (*known && is_same(name, known)) return file;
    return -1;
}

int __covet_model_open(const char *name, int flags) {
    int file = __covet_model_file(name);
    return file < 0 ? -1 : __covet_model_open_file(file, flags);
}

int __covet_model_open_file(int file, int flags) {
    struct description *d;
    int descriptor;
    prepare();
    if ((d = fresh(file, flags)) == NULL) return -1;
    if ((descriptor = reserve(0)) < 0) {
        d->file = -1;
        return -1;
    }
    bind(descriptor, d);
    return descriptor;
}

/* Bytes of a file that the system around the entry has; test programs have the same number. */
enum { OUTSIDE_BYTES = 256 };
/* Any number but those of symbolic files: its contents are its own. */
enum { OUTSIDE_FILE = MODEL_FILES };

int __covet_model_open_outside(const char *name, int flags) {
    static unsigned count;
    struct description *d;
    int descriptor, is_there;
    if ((flags & O_ACCMODE) == O_WRONLY || flags & (O_CREAT | O_TRUNC | O_DIRECTORY | O_PATH)) return ASK_SYSTEM;
    if (!__covet_surrounded()) return ASK_SYSTEM;
    count++;
    /* What can be written here was made by the run itself, or is a device. */
    if (!name || !*name || access(name, W_OK) == 0 || !__covet_os_open(count, &is_there)) return ASK_SYSTEM;
    prepare();
    if (!is_there || (d = fresh(OUTSIDE_FILE, flags)) == NULL) return -1;
    d->own = __covet_heap_malloc(OUTSIDE_BYTES);
    if (!d->own || (descriptor = reserve(0)) < 0) {
        d->file = -1;
        return -1;
    }
    d->room = OUTSIDE_BYTES;
    d->size = __covet_os_contents(count, d->own, OUTSIDE_BYTES);
    bind(descriptor, d);
    return descriptor;
}

static void release(int descriptor) {
    struct description *d = __covet_model_description(descriptor);
    if (!d) return;
    behind[descriptor] = 0;
    if (--d->references > 0) return;
    d->file = -1;
    if (d->own) MODEL(free)(d->own);
    d->own = NULL;
}

int __covet_model_close(int descriptor) {
    release(descriptor);
    return close(descriptor);
}

int MODEL(dup)(int descriptor) {
    struct description *d = __covet_model_description(descriptor);
    int copy = d ? reserve(0) : __covet_model_own(dup(descriptor));
    if (d && copy >= 0) bind(copy, d);
    return copy;
}

int MODEL(dup2)(int descriptor, int to) {
    struct description *d = __covet_model_description(descriptor);
    int made;
    if (descriptor == to) return d ? to : dup2(descriptor, to);
    touches(to);
    made = dup2(d ? 2 : descriptor, to);
    if (made < 0) return made;
    release(to);
    if (d && to < MODEL_DESCRIPTORS) bind(to, d);
    return made;
}

int MODEL(dup3)(int descriptor, int to, int flags) {
    if (descriptor == to) {
        errno = EINVAL;
        return -1;
    }
    if (!__covet_model_description(descriptor)) {
        int made;
        touches(to);
        made = dup3(descriptor, to, flags);
        if (made >= 0) release(to);
        return made;
    }
    return MODEL(dup2)(descriptor, to);
}

uint64_t __covet_model_size(const struct description *d) {
    return d->own ? d->size : __covet_file_size(d->file);
}

int __covet_model_byte(const struct description *d, uint64_t at) {
    return d->own ? d->own[at] : __covet_file_data(d->file)[at];
}

static int grow(struct description *d, uint64_t room) {
    unsigned char *bytes;
    if (d->own && room <= d->room) return 1;
    if (d->own) {
        bytes = __covet_heap_realloc(d->own, room * 2);
    } else {
        uint64_t capacity = __covet_file_capacity(d->file);
        if (room < capacity) room = capacity;
        bytes = __covet_heap_malloc(room * 2 + 1);
        if (bytes) __builtin_memcpy(bytes, __covet_file_data(d->file), capacity);
        d->size = __covet_file_size(d->file);
    }
    if (!bytes) return 0;
    d->own = bytes;
    d->room = room * 2;
    return 1;
}

size_t __covet_model_write(struct description *d, uint64_t at, const void *bytes, size_t length) {
    if (length == 0) return 0;
    if (!grow(d, at + length)) {
        errno = ENOSPC;
        return 0;
    }
    if (at > d->size) __builtin_memset(d->own + d->size, 0, at - d->size);
    __builtin_memmove(d->own + at, bytes, length);
    if (at + length > d->size) d->size = at + length;
    return length;
}

size_t __covet_model_available(const struct description *d, uint64_t at, size_t most) {
    uint64_t size = __covet_model_size(d), less = 0, more = most;
    if (at >= size) return 0;
    if (size - at >= most) return most;
    /* By halves: one by one, a read of a file of some hundred bytes would be as many decisions. */
    while (more - less > 1) {
        uint64_t middle = less + (more - less) / 2;
        if (size - at >= middle) less = middle;
        else more = middle;
    }
    return less;
}
