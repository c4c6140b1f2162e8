/* Writing to streams, and what else takes a FILE.
 *
 * Turns output to a stream of ours into bytes of its description (or the error of a stream opened for reading), output
 * to any other stream into the native call. No library function ever sees a FILE of ours. */
#include "covet/files.h"
#include <stdio_ext.h>
#include <stdlib.h>
#include <wchar.h>

/* Writes at the stream's position and moves it. */
static size_t put_bytes(struct stream *s, const void *bytes, size_t length) {
    struct description *d = s->on;
    size_t done;
    if (!s->writable) {
        s->error = 1;
        errno = EBADF;
        return 0;
    }
    if (d->flags & O_APPEND) s->at = __covet_model_size(d);
    s->pushed_count = 0;
    done = __covet_model_write(d, s->at, bytes, length);
    s->at += done;
    s->limit = d->offset = s->at;
    return done;
}

int MODEL(fputc)(int c, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    unsigned char byte = (unsigned char)c;
    if (!s) return putc(c, file);
    return put_bytes(s, &byte, 1) == 1 ? byte : EOF;
}
int MODEL(putc)(int c, FILE *file) { return MODEL(fputc)(c, file); }
int MODEL(_IO_putc)(int c, FILE *file) { return MODEL(fputc)(c, file); }
int MODEL(putc_unlocked)(int c, FILE *file) { return MODEL(fputc)(c, file); }
int MODEL(fputc_unlocked)(int c, FILE *file) { return MODEL(fputc)(c, file); }
int MODEL(__overflow)(FILE *file, int c) { return MODEL(fputc)(c, file); }

int MODEL(fputs)(const char *text, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    size_t length;
    if (!s) return fputs(text, file);
    length = strlen(text);
    return put_bytes(s, text, length) == length ? 1 : EOF;
}
int MODEL(fputs_unlocked)(const char *text, FILE *file) { return MODEL(fputs)(text, file); }

size_t MODEL(fwrite)(const void *from, size_t width, size_t count, FILE *file) {
    struct stream *s = __covet_model_stream(file);
    if (!s) return fwrite(from, width, count, file);
    if (width * count == 0) return 0;
    return put_bytes(s, from, width * count) / width;
}
size_t MODEL(fwrite_unlocked)(const void *from, size_t width, size_t count, FILE *file) {
    return MODEL(fwrite)(from, width, count, file);
}

int MODEL(putw)(int word, FILE *file) { return MODEL(fwrite)(&word, sizeof word, 1, file) == 1 ? 0 : EOF; }

int MODEL(vfprintf)(FILE *file, const char *format, va_list arguments) {
    struct stream *s = __covet_model_stream(file);
    char *text;
    int length;
    if (!s) return vfprintf(file, format, arguments);
    length = vasprintf(&text, format, arguments);
    if (length < 0) return length;
    if (put_bytes(s, text, (size_t)length) != (size_t)length) length = -1;
    free(text);
    return length;
}

int MODEL(fprintf)(FILE *file, const char *format, ...) {
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = MODEL(vfprintf)(file, format, arguments);
    va_end(arguments);
    return length;
}

int MODEL(__fprintf_chk)(FILE *file, int flag, const char *format, ...) {
    va_list arguments;
    int length;
    (void)flag;
    va_start(arguments, format);
    length = MODEL(vfprintf)(file, format, arguments);
    va_end(arguments);
    return length;
}

int MODEL(__vfprintf_chk)(FILE *file, int flag, const char *format, va_list arguments) {
    (void)flag;
    return MODEL(vfprintf)(file, format, arguments);
}

int MODEL(fflush)(FILE *file) { return file && __covet_model_stream(file) ? 0 : fflush(file); }
int MODEL(fflush_unlocked)(FILE *file) { return MODEL(fflush)(file); }
void MODEL(__fpurge)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    if (!s) __fpurge(file);
    else s->at = s->limit = s->on->offset;
}

int MODEL(setvbuf)(FILE *file, char *buffer, int mode, size_t size) {
    return __covet_model_stream(file) ? 0 : setvbuf(file, buffer, mode, size);
}
void MODEL(setbuf)(FILE *file, char *buffer) {
    if (!__covet_model_stream(file)) setbuf(file, buffer);
}
void MODEL(setbuffer)(FILE *file, char *buffer, size_t size) {
    if (!__covet_model_stream(file)) setbuffer(file, buffer, size);
}
void MODEL(setlinebuf)(FILE *file) {
    if (!__covet_model_stream(file)) setlinebuf(file);
}
void MODEL(flockfile)(FILE *file) {
    if (!__covet_model_stream(file)) flockfile(file);
}
void MODEL(funlockfile)(FILE *file) {
    if (!__covet_model_stream(file)) funlockfile(file);
}
int MODEL(ftrylockfile)(FILE *file) { return __covet_model_stream(file) ? 0 : ftrylockfile(file); }
int MODEL(fwide)(FILE *file, int mode) { return __covet_model_stream(file) ? -1 : fwide(file, mode); }

/* Wide characters of the "C" locale are the ASCII ones. */
wint_t MODEL(fgetwc)(FILE *file) {
    struct stream *s = __covet_model_stream(file);
    int c;
    if (!s) return fgetwc(file);
    c = __covet_model_get(s);
    if (c == EOF) return WEOF;
    if (c < 128) return (wint_t)c;
    errno = EILSEQ;
    s->error = 1;
    return WEOF;
}
wint_t MODEL(getwc)(FILE *file) { return MODEL(fgetwc)(file); }
wint_t MODEL(getwchar)(void) { return MODEL(fgetwc)(stdin); }
