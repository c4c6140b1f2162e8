/* Streams over symbolic files: opening, positions, characters.
 *
 * Turns a FILE of ours (or `stdin`, when standard input is symbolic, or one that the input has open) into bytes of its
 * description; every other FILE is the library's and goes to it untouched. At each byte there is one branch: is the file that long. */
#include "covet/files.h"
#include <stdlib.h>
#include <unistd.h>

static struct stream streams[MODEL_STREAMS];
/* 0: not looked at; 1: streams[0] stands for `stdin`; 2: `stdin` is the library's. */
static int standard_input;
/* What became of the stream that the input has over each file: 1 + its number, CLOSED, or 0 when nobody has used it. */
static unsigned char given[MODEL_FILES];
enum { CLOSED = 255 };
static struct stream closed;

static void start(struct stream *s, struct description *d, int descriptor, int can_read, int can_write) {
    __builtin_memset(s, 0, sizeof *s);
    s->on = d;
    s->descriptor = descriptor;
    s->readable = can_read;
    s->writable = can_write;
    s->at = s->limit = d->offset;
}

static struct stream *free_stream(void) {
    int i;
    for (i = 1; i < MODEL_STREAMS; i++)
        if (!streams[i].on) return &streams[i];
    errno = EMFILE;
    return NULL;
}

/* The stream that the input has open as `file`; NULL when it has none. */
static struct stream *from_input(FILE *file) {
    int number = __covet_file_of_stream(file);
    if (number < 0 || number >= MODEL_FILES) return NULL;
    if (!given[number]) {
        struct stream *s = free_stream();
        int descriptor = s ? __covet_model_open_file(number, O_RDWR) : -1;
        if (descriptor < 0) return &closed;
        start(s, __covet_model_description(descriptor), descriptor, 1, 1);
        s->given = file;
        given[number] = (unsigned char)(1 + (s - streams));
    }
    return given[number] == CLOSED ? &closed : &streams[given[number] - 1];
}

struct stream *__covet_model_stream(FILE *file) {
    struct stream *s;
    if (!plain_value((uint64_t)file)) {
        /* Which stream it is, and that it is one, is decided here for the whole run. */
        (void)*(volatile char *)file;
        file = (FILE *)concrete((int64_t)file);
    }
    s = (struct stream *)file;
    if (file == stdin && file) {
        if (!standard_input) {
            struct description *d = __covet_model_description(0);
            standard_input = d ? 1 : 2;
            if (d) start(&streams[0], d, 0, 1, 0);
        }
        return standard_input == 1 ? &streams[0] : NULL;
    }
    return s >= streams && s < streams + MODEL_STREAMS ? s : from_input(file);
}

static FILE *handle(struct stream *s) { return s == &streams[0] ? stdin : s->given ? s->given : &s->face; }

/* Takes the next part of the file, as a native buffer would. 0 at its end. */
static int fill(struct stream *s) {
    struct description *d = s->on;
    uint64_t size = __covet_model_size(d);
    s->at = d->offset;
    if (!(d->offset < size)) {
        s->limit = s->at;
        if (!d->own && d->file == 0) __covet_input_ended();
        return 0;
    }
    s->limit = size;
    if ((d->own || __covet_file_capacity(d->file) > d->offset + BUFFERED) && size > d->offset + BUFFERED)
        s->limit = d->offset + BUFFERED;
    d->offset = s->limit;
    return 1;
}

int __covet_model_get(struct stream *s) {
    if (!s->readable) {
        s->error = 1;
        errno = EBADF;
        return EOF;
    }
    if (s->pushed_count) return s->pushed[--s->pushed_count];
    if (s->eof) return EOF;
    if (!(s->at < s->limit) && !fill(s)) {
        s->eof = 1;
        return EOF;
    }
    return __covet_model_byte(s->on, s->at++);
}

int __covet_model_unget(int c, struct stream *s) {
    if (c == EOF || s->pushed_count == PUSHED_BACK) return EOF;
    s->pushed[s->pushed_count++] = (unsigned char)c;
    s->eof = 0;
    return (unsigned char)c;
}

/* The flags of open(2) that a mode stands for; -1 when it is not a mode. */
static int mode_flags(const char *mode) {
    int plus = strchr(mode, '+') != NULL, extra = strchr(mode, 'e') ? O_CLOEXEC : 0;
    if (strchr(mode, 'x')) extra |= O_EXCL;
    switch (*mode) {
    case 'r': return (plus ? O_RDWR : O_RDONLY) | extra;
    case 'w': return (plus ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC | extra;
    case 'a': return (plus ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND | extra;
    default: errno = EINVAL; return -1;
    }
}

static FILE *over(int descriptor, const char *mode) {
    struct stream *s = free_stream();
    int flags = mode_flags(mode);
    if (!s || flags < 0) return NULL;
    start(s, __covet_model_description(descriptor), descriptor, (flags & O_ACCMODE) != O_WRONLY,
          (flags & O_ACCMODE) != O_RDONLY);
    return handle(s);
}

/* Only reading makes a file symbolic: one that is created anew is the program's own. */
static int opens_symbolic(const char *name, const char *mode) {
    return *mode == 'r' && __covet_model_file(name) >= 0;
}

FILE *MODEL(fopen)(const char *name, const char *mode) {
    int flags = mode_flags(mode), is_symbolic = opens_symbolic(name, mode);
    int descriptor = is_symbolic ? __covet_model_open(name, flags) : __covet_model_open_outside(name, flags);
    FILE *file;
    if (!is_symbolic && descriptor == ASK_SYSTEM) {
        file = fopen(name, mode);
        if (file) __covet_model_opened(file);
        return file;
    }
    file = descriptor < 0 ? NULL : over(descriptor, mode);
    if (!file && descriptor >= 0) __covet_model_close(descriptor);
    return file;
}

FILE *MODEL(fopen64)(const char *name, const char *mode) { return MODEL(fopen)(name, mode); }

FILE *MODEL(fdopen)(int descriptor, const char *mode) {
    FILE *file;
    if (__covet_model_description(descriptor)) return over(descriptor, mode);
    file = fdopen(descriptor, mode);
    if (file) __covet_model_opened(file);
    return file;
}

static int end(struct stream *s) {
    int descriptor = s->descriptor;
    s->on = NULL;
    if (s->given) given[__covet_file_of_stream(s->given)] = CLOSED;
    if (s == &streams[0]) standard_input = 2;
    return __covet_model_close(descriptor);
}

int MODEL(fclose)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    if (s) return s->on ? end(s) : EOF;
    __covet_model_closed(file);
    touches(fileno(file));
    return fclose(file);
}

FILE *MODEL(freopen)(const char *name, const char *mode, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    int descriptor;
    if (!opens_symbolic(name, mode)) {
        if (!s) {
            touches(fileno(file));
            return freopen(name, mode, file);
        }
        if (s != &streams[0]) {
            end(s);
            file = fopen(name, mode);
            if (file) __covet_model_opened(file);
            return file;
        }
        end(s);
        return freopen(name, mode, stdin);
    }
    if (s && s != &streams[0]) end(s);
    if (file == stdin || s == &streams[0]) {
        if (standard_input == 1) end(&streams[0]);
        descriptor = __covet_model_open(name, mode_flags(mode));
        if (descriptor < 0) return NULL;
        start(&streams[0], __covet_model_description(descriptor), descriptor, 1, 0);
        standard_input = 1;
        return stdin;
    }
    if (!s) MODEL(fclose)(file);
    return MODEL(fopen)(name, mode);
}

FILE *MODEL(freopen64)(const char *name, const char *mode, FILE *file) { return MODEL(freopen)(name, mode, file); }

int MODEL(fileno)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    return s ? s->descriptor : fileno(file);
}
int MODEL(fileno_unlocked)(FILE *file) { return MODEL(fileno)(file); }

int MODEL(feof)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    return s ? s->eof : feof(file);
}
int MODEL(feof_unlocked)(FILE *file) { return MODEL(feof)(file); }

int MODEL(ferror)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    return s ? s->error : ferror(file);
}
int MODEL(ferror_unlocked)(FILE *file) { return MODEL(ferror)(file); }

void MODEL(clearerr)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    if (s) s->eof = s->error = 0;
    else clearerr(file);
}
void MODEL(clearerr_unlocked)(FILE *file) { MODEL(clearerr)(file); }

static int64_t position(const struct stream *s) { return (int64_t)(s->at - (uint64_t)s->pushed_count); }

static int seek(struct stream *s, int64_t offset, int from) {
    int64_t base = 0, to;
    if (from == SEEK_CUR) base = position(s);
    else if (from == SEEK_END) base = (int64_t)__covet_model_size(s->on);
    to = base + offset;
    if ((from != SEEK_SET && from != SEEK_CUR && from != SEEK_END) || to < 0) {
        errno = EINVAL;
        return -1;
    }
    s->on->offset = s->at = s->limit = (uint64_t)to;
    s->pushed_count = s->eof = 0;
    return 0;
}

int MODEL(fseek)(FILE *file, long offset, int from) {
    struct stream *s = __covet_model_stream(file);
    return s ? seek(s, offset, from) : fseek(file, offset, from);
}
int MODEL(fseeko)(FILE *file, off_t offset, int from) { return MODEL(fseek)(file, offset, from); }
int MODEL(fseeko64)(FILE *file, off_t offset, int from) { return MODEL(fseek)(file, offset, from); }

long MODEL(ftell)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    return s ? position(s) : ftell(file);
}
off_t MODEL(ftello)(FILE *file) { return MODEL(ftell)(file); }
off_t MODEL(ftello64)(FILE *file) { return MODEL(ftell)(file); }

void MODEL(rewind)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    if (!s) {
        rewind(file);
        return;
    }
    seek(s, 0, SEEK_SET);
    s->error = 0;
}

int MODEL(fgetpos)(FILE *file, fpos_t *at) {
    struct stream *s = __covet_model_stream(file);
    if (!s) {
        int failed = fgetpos(file, at);
        written(at, sizeof *at);
        return failed;
    }
    __builtin_memset(at, 0, sizeof *at);
    at->__pos = position(s);
    return 0;
}

int MODEL(fsetpos)(FILE *file, const fpos_t *at) {
    struct stream *s = __covet_model_stream(file);
    return s ? seek(s, at->__pos, SEEK_SET) : fsetpos(file, at);
}
