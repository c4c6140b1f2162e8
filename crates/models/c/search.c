/* Searching in strings and memory.
 *
 * Turns "where is it" into one branch per place: at each place the question "is it here" is a single expression, also
 * when it compares a whole needle or a set of characters. */
#include "covet/model.h"

void *MODEL(memchr)(const void *start, int c, size_t n) {
    const unsigned char *s = start;
    size_t i;
    if (plain_value((unsigned)c) && plain_value((uint64_t)start) && plain_value(n)) {
        void *found = memchr(start, c, n);
        if (plain_bytes(start, found ? (size_t)((unsigned char *)found - s) + 1 : n)) return found;
    }
    for (i = 0; i < n; i++)
        if (s[i] == (unsigned char)c) return (void *)(s + i);
    return NULL;
}

void *MODEL(rawmemchr)(const void *start, int c) {
    const unsigned char *s = start;
    while (*s != (unsigned char)c) s++;
    return (void *)s;
}

void *MODEL(memrchr)(const void *start, int c, size_t n) {
    const unsigned char *s = start;
    if (plain_value((unsigned)c) && plain_bytes(start, n)) return memrchr(start, c, n);
    while (n-- > 0)
        if (s[n] == (unsigned char)c) return (void *)(s + n);
    return NULL;
}

char *MODEL(strchrnul)(const char *s, int c) {
    if (plain_value((unsigned)c) && plain_string(s)) return strchrnul(s, c);
    while (*s != (char)c && *s) s++;
    return (char *)s;
}

char *MODEL(strchr)(const char *s, int c) {
    if (plain_value((unsigned)c) && plain_string(s)) return strchr(s, c);
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return NULL;
    }
}

char *MODEL(index)(const char *s, int c) { return MODEL(strchr)(s, c); }

char *MODEL(strrchr)(const char *s, int c) {
    size_t n;
    if (plain_value((unsigned)c) && plain_string(s)) return strrchr(s, c);
    n = MODEL(strlen)(s);
    if ((char)c == 0) return (char *)s + n;
    while (n-- > 0)
        if (s[n] == (char)c) return (char *)s + n;
    return NULL;
}

char *MODEL(rindex)(const char *s, int c) { return MODEL(strrchr)(s, c); }

/* 0 when `length` bytes are equal: one expression. */
static int difference(const unsigned char *a, const unsigned char *b, size_t length, int ignore_case) {
    int differ = 0;
    size_t i;
    for (i = 0; i < length; i++) {
        if (ignore_case)
            differ |= to_lower(a[i]) ^ to_lower(b[i]);
        else
            differ |= a[i] ^ b[i];
    }
    return differ;
}

static void *find(const void *hay, size_t hay_length, const void *needle, size_t length, int ignore_case) {
    const unsigned char *h = hay;
    size_t i;
    if (length > hay_length) return NULL;
    for (i = 0; i <= hay_length - length; i++)
        if (!difference(h + i, needle, length, ignore_case)) return (void *)(h + i);
    return NULL;
}

void *MODEL(memmem)(const void *hay, size_t hay_length, const void *needle, size_t length) {
    if (plain_bytes(hay, hay_length) && plain_bytes(needle, length)) return memmem(hay, hay_length, needle, length);
    return find(hay, hay_length, needle, length, 0);
}

char *MODEL(strstr)(const char *hay, const char *needle) {
    if (plain_string(hay) && plain_string(needle)) return strstr(hay, needle);
    return find(hay, MODEL(strlen)(hay), needle, MODEL(strlen)(needle), 0);
}

char *MODEL(strcasestr)(const char *hay, const char *needle) {
    if (plain_string(hay) && plain_string(needle)) return strcasestr(hay, needle);
    return find(hay, MODEL(strlen)(hay), needle, MODEL(strlen)(needle), 1);
}

static int in_set(char c, const char *set, size_t length) {
    int found = 0;
    size_t i;
    for (i = 0; i < length; i++) found |= c == set[i];
    return found;
}

size_t MODEL(strspn)(const char *s, const char *accept) {
    size_t n = 0, length;
    if (plain_string(s) && plain_string(accept)) return strspn(s, accept);
    length = MODEL(strlen)(accept);
    while (in_set(s[n], accept, length)) n++; /* the terminator is in no set */
    return n;
}

size_t MODEL(strcspn)(const char *s, const char *reject) {
    size_t n = 0, length;
    if (plain_string(s) && plain_string(reject)) return strcspn(s, reject);
    length = MODEL(strlen)(reject);
    while (s[n] && !in_set(s[n], reject, length)) n++;
    return n;
}

char *MODEL(strpbrk)(const char *s, const char *accept) {
    s += MODEL(strcspn)(s, accept);
    return *s ? (char *)s : NULL;
}

char *MODEL(strtok_r)(char *s, const char *separators, char **rest) {
    char *end;
    if (s == NULL) s = *rest;
    s += MODEL(strspn)(s, separators);
    if (*s == 0) {
        *rest = s;
        return NULL;
    }
    end = s + MODEL(strcspn)(s, separators);
    if (*end == 0) {
        *rest = end;
        return s;
    }
    *end = 0;
    *rest = end + 1;
    return s;
}

char *MODEL(__strtok_r)(char *s, const char *separators, char **rest) { return MODEL(strtok_r)(s, separators, rest); }

char *MODEL(strtok)(char *s, const char *separators) {
    static char *rest;
    return MODEL(strtok_r)(s, separators, &rest);
}

char *MODEL(strsep)(char **at, const char *separators) {
    char *token = *at, *end;
    if (token == NULL) return NULL;
    end = token + MODEL(strcspn)(token, separators);
    if (*end) {
        *end = 0;
        *at = end + 1;
    } else {
        *at = NULL;
    }
    return token;
}
