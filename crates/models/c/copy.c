/* String length, copying and joining.
 *
 * Turns a string of symbolic bytes into one path per length: after the scan the length is concrete, and so is the
 * terminator that is written, which keeps later scans of the copy cheap. */
#include "covet/model.h"

size_t MODEL(strlen)(const char *s) {
    size_t n = 0;
    if (plain_string(s)) return strlen(s);
    while (s[n]) n++;
    return n;
}

size_t MODEL(strnlen)(const char *s, size_t most) {
    size_t n = 0;
    if (plain_value((uint64_t)s) && plain_value(most)) {
        size_t length = strnlen(s, most);
        if (plain_bytes(s, length) && (length == most || plain_bytes(s + length, 1))) return length;
    }
    while (n < most && s[n]) n++;
    return n;
}

static char *put(char *to, const char *from, size_t length) {
    __builtin_memmove(to, from, length);
    to[length] = 0;
    return to + length;
}

char *MODEL(stpcpy)(char *to, const char *from) { return put(to, from, MODEL(strlen)(from)); }

char *MODEL(strcpy)(char *to, const char *from) {
    put(to, from, MODEL(strlen)(from));
    return to;
}

char *MODEL(stpncpy)(char *to, const char *from, size_t size) {
    size_t length = MODEL(strnlen)(from, size);
    __builtin_memmove(to, from, length);
    __builtin_memset(to + length, 0, size - length);
    return to + length;
}

char *MODEL(strncpy)(char *to, const char *from, size_t size) {
    MODEL(stpncpy)(to, from, size);
    return to;
}

char *MODEL(strcat)(char *to, const char *from) {
    put(to + MODEL(strlen)(to), from, MODEL(strlen)(from));
    return to;
}

char *MODEL(strncat)(char *to, const char *from, size_t most) {
    put(to + MODEL(strlen)(to), from, MODEL(strnlen)(from, most));
    return to;
}

size_t MODEL(strlcpy)(char *to, const char *from, size_t size) {
    size_t length = MODEL(strlen)(from);
    if (size) put(to, from, length < size ? length : size - 1);
    return length;
}

size_t MODEL(strlcat)(char *to, const char *from, size_t size) {
    size_t before = MODEL(strnlen)(to, size), length = MODEL(strlen)(from);
    if (before < size) put(to + before, from, length < size - before ? length : size - before - 1);
    return before + length;
}

size_t MODEL(strxfrm)(char *to, const char *from, size_t size) {
    size_t length = MODEL(strlen)(from), n;
    if (size) {
        n = length + 1 < size ? length + 1 : size;
        __builtin_memmove(to, from, n);
    }
    return length;
}

static char *duplicate(const char *s, size_t length) {
    char *copy = __covet_heap_malloc(length + 1);
    if (copy) put(copy, s, length);
    return copy;
}

char *MODEL(strdup)(const char *s) { return duplicate(s, MODEL(strlen)(s)); }
char *MODEL(__strdup)(const char *s) { return duplicate(s, MODEL(strlen)(s)); }
char *MODEL(strndup)(const char *s, size_t most) { return duplicate(s, MODEL(strnlen)(s, most)); }
char *MODEL(__strndup)(const char *s, size_t most) { return duplicate(s, MODEL(strnlen)(s, most)); }

void *MODEL(memccpy)(void *to, const void *from, int stop, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    size_t i;
    for (i = 0; i < n; i++) {
        t[i] = f[i];
        if (f[i] == (unsigned char)stop) return t + i + 1;
    }
    return NULL;
}

/* What the fortified headers call instead: the size of the target is checked by nobody here, as in a plain build. */
char *MODEL(__strcpy_chk)(char *to, const char *from, size_t room) { (void)room; return MODEL(strcpy)(to, from); }
char *MODEL(__stpcpy_chk)(char *to, const char *from, size_t room) { (void)room; return MODEL(stpcpy)(to, from); }
char *MODEL(__strcat_chk)(char *to, const char *from, size_t room) { (void)room; return MODEL(strcat)(to, from); }
char *MODEL(__strncpy_chk)(char *to, const char *from, size_t size, size_t room) {
    (void)room;
    return MODEL(strncpy)(to, from, size);
}
char *MODEL(__strncat_chk)(char *to, const char *from, size_t most, size_t room) {
    (void)room;
    return MODEL(strncat)(to, from, most);
}
