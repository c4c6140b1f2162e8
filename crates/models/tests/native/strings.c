/* String, memory and character functions: model against library. */
#include "shim.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>
#define M(name) __covet_libc_##name
size_t M(strlen)(const char *);
size_t M(strnlen)(const char *, size_t);
char *M(strcpy)(char *, const char *);
char *M(strncpy)(char *, const char *, size_t);
char *M(stpcpy)(char *, const char *);
char *M(stpncpy)(char *, const char *, size_t);
char *M(strcat)(char *, const char *);
char *M(strncat)(char *, const char *, size_t);
size_t M(strlcpy)(char *, const char *, size_t);
size_t M(strlcat)(char *, const char *, size_t);
size_t M(strxfrm)(char *, const char *, size_t);
char *M(strdup)(const char *);
char *M(strndup)(const char *, size_t);
void *M(memccpy)(void *, const void *, int, size_t);
int M(strcmp)(const char *, const char *);
int M(strcoll)(const char *, const char *);
int M(strncmp)(const char *, const char *, size_t);
int M(strcasecmp)(const char *, const char *);
int M(strncasecmp)(const char *, const char *, size_t);
int M(memcmp)(const void *, const void *, size_t);
int M(bcmp)(const void *, const void *, size_t);
void *M(memchr)(const void *, int, size_t);
void *M(memrchr)(const void *, int, size_t);
void *M(rawmemchr)(const void *, int);
char *M(strchr)(const char *, int);
char *M(strrchr)(const char *, int);
char *M(strchrnul)(const char *, int);
char *M(basename)(const char *);
char *M(index)(const char *, int);
char *M(rindex)(const char *, int);
char *M(strstr)(const char *, const char *);
char *M(strcasestr)(const char *, const char *);
void *M(memmem)(const void *, size_t, const void *, size_t);
size_t M(strspn)(const char *, const char *);
size_t M(strcspn)(const char *, const char *);
char *M(strpbrk)(const char *, const char *);
char *M(strtok)(char *, const char *);
char *M(strtok_r)(char *, const char *, char **);
char *M(strsep)(char **, const char *);

static const char *alphabet = "aAbBzZ@[`{/ \x80\xff\xc3";

/* Two strings at the very end of readable memory: reading past the terminator faults. */
static char *edge_a, *edge_b;
enum { PAGE = 4096 };
static char *edge(void) {
    char *two = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(two + PAGE, PAGE, PROT_NONE);
    return two + PAGE;
}

/* The native value exactly; only its sign where the strings themselves may lie anywhere. */
static int agree(int x, int y) { return shim_mode == 2 ? (x > 0) == (y > 0) && (x < 0) == (y < 0) : x == y; }

static void compare(const char *a, const char *b, size_t n) {
    CHECK(agree(M(strcmp)(a, b), strcmp(a, b)), "strcmp '%s' '%s'", a, b);
    CHECK((M(strcoll)(a, b) > 0) == (strcoll(a, b) > 0) && (M(strcoll)(a, b) < 0) == (strcoll(a, b) < 0), "strcoll");
    CHECK(agree(M(strncmp)(a, b, n), strncmp(a, b, n)), "strncmp '%s' '%s' %zu", a, b, n);
    CHECK(agree(M(strcasecmp)(a, b), strcasecmp(a, b)), "strcasecmp '%s' '%s'", a, b);
    CHECK(agree(M(strncasecmp)(a, b, n), strncasecmp(a, b, n)), "strncasecmp '%s' '%s' %zu", a, b, n);
}

static void compare_memory(void) {
    unsigned char a[600], b[600];
    size_t n = roll(8) ? roll(40) : roll(600), i;
    for (i = 0; i < n; i++) a[i] = b[i] = (unsigned char)roll(256);
    if (n && roll(3)) b[roll((uint32_t)n)] = (unsigned char)roll(256);
    CHECK(agree(M(memcmp)(a, b, n), memcmp(a, b, n)), "memcmp %zu: %d %d", n, M(memcmp)(a, b, n), memcmp(a, b, n));
    CHECK((M(bcmp)(a, b, n) == 0) == (bcmp(a, b, n) == 0), "bcmp");
}

static void copy(const char *s, const char *t, size_t n) {
    char x[256], y[256], *p, *q;
    memset(x, '#', sizeof x), memset(y, '#', sizeof y);
#define SAME(what) CHECK(p - x == q - y && memcmp(x, y, sizeof x) == 0, what " '%s' '%s' %zu", s, t, n)
    p = M(strcpy)(x, s), q = strcpy(y, s); SAME("strcpy");
    p = M(strcat)(x, t), q = strcat(y, t); SAME("strcat");
    p = M(strncat)(x, t, n), q = strncat(y, t, n); SAME("strncat");
    p = M(stpcpy)(x, s), q = stpcpy(y, s); SAME("stpcpy");
    p = M(strncpy)(x, s, n), q = strncpy(y, s, n); SAME("strncpy");
    p = M(stpncpy)(x, s, n), q = stpncpy(y, s, n); SAME("stpncpy");
    p = M(memccpy)(x, s, t[0], strlen(s)), q = memccpy(y, s, t[0], strlen(s));
    CHECK((!p && !q) || (p - x == q - y && memcmp(x, y, sizeof x) == 0), "memccpy");
    CHECK(M(strxfrm)(x, s, n) == strxfrm(y, s, n), "strxfrm result");
    CHECK(n <= strlen(s) || strcmp(x, y) == 0, "strxfrm text");
    p = M(strdup)(s);
    CHECK(strcmp(p, s) == 0, "strdup");
    free(p);
    p = M(strndup)(s, n), q = strndup(s, n);
    CHECK(strcmp(p, q) == 0, "strndup");
    free(p), free(q);
    CHECK(M(strlen)(s) == strlen(s) && M(strnlen)(s, n) == strnlen(s, n), "strlen '%s' %zu", s, n);
    memset(x, '#', sizeof x);
    CHECK(M(strlcpy)(x, s, n) == strlen(s), "strlcpy length");
    if (n) CHECK(strlen(x) == (strlen(s) < n ? strlen(s) : n - 1) && strncmp(x, s, strlen(x)) == 0, "strlcpy");
    strcpy(x, t);
    CHECK(M(strlcat)(x, s, n) == strnlen(t, n) + strlen(s), "strlcat length");
    if (n > strlen(t)) CHECK(strlen(x) < n && strncmp(x, t, strlen(t)) == 0, "strlcat");
}

static void search(const char *s, const char *t, int c) {
    size_t n = strlen(s);
    CHECK(M(strchr)(s, c) == strchr(s, c), "strchr '%s' %d", s, c);
    CHECK(M(strrchr)(s, c) == strrchr(s, c), "strrchr '%s' %d", s, c);
    CHECK(M(index)(s, c) == index(s, c) && M(rindex)(s, c) == rindex(s, c), "index '%s' %d", s, c);
    CHECK(M(strchrnul)(s, c) == strchrnul(s, c), "strchrnul");
    CHECK(M(memchr)(s, c, n) == memchr(s, c, n), "memchr");
    CHECK(M(memrchr)(s, c, n) == memrchr(s, c, n), "memrchr");
    CHECK(M(rawmemchr)(s, 0) == rawmemchr(s, 0), "rawmemchr");
    CHECK(M(strstr)(s, t) == strstr(s, t), "strstr '%s' '%s'", s, t);
    CHECK(M(strcasestr)(s, t) == strcasestr(s, t), "strcasestr '%s' '%s'", s, t);
    CHECK(M(memmem)(s, n, t, strlen(t)) == memmem(s, n, t, strlen(t)), "memmem");
    CHECK(M(basename)(s) == basename(s), "basename '%s'", s);
    CHECK(M(strspn)(s, t) == strspn(s, t), "strspn '%s' '%s'", s, t);
    CHECK(M(strcspn)(s, t) == strcspn(s, t), "strcspn '%s' '%s'", s, t);
    CHECK(M(strpbrk)(s, t) == strpbrk(s, t), "strpbrk '%s' '%s'", s, t);
}

static void tokens(const char *s, const char *t) {
    char x[64], y[64], *p, *q, *r, *u, *at_x = x, *at_y = y;
    int i;
    strcpy(x, s), strcpy(y, s);
    for (i = 0; i < 12; i++) {
        p = M(strtok)(i ? NULL : x, t), q = strtok(i ? NULL : y, t);
        CHECK((!p && !q) || (p && q && p - x == q - y && strcmp(p, q) == 0), "strtok '%s' '%s'", s, t);
    }
    strcpy(x, s), strcpy(y, s);
    for (i = 0; i < 12; i++) {
        p = M(strtok_r)(i ? NULL : x, t, &r), q = strtok_r(i ? NULL : y, t, &u);
        CHECK((!p && !q) || (p && q && p - x == q - y && strcmp(p, q) == 0 && r - x == u - y), "strtok_r");
    }
    strcpy(x, s), strcpy(y, s);
    for (i = 0; i < 12; i++) {
        p = M(strsep)(&at_x, t), q = strsep(&at_y, t);
        CHECK((!p && !q) || (p && q && p - x == q - y && strcmp(p, q) == 0), "strsep '%s' '%s'", s, t);
        CHECK((!at_x && !at_y) || at_x - x == at_y - y, "strsep rest");
    }
}

static void edges(const char *a, const char *b) {
    char *x = edge_a - strlen(a) - 1, *y = edge_b - strlen(b) - 1;
    strcpy(x, a), strcpy(y, b);
    compare(x, y, roll(12));
    search(x, y, alphabet[roll((uint32_t)strlen(alphabet))]);
}

static void characters(void) {
    int c;
#define CLASS(name) \
    do { int M(name)(int); for (c = -128; c < 256; c++) CHECK(M(name)(c) == (name)(c), #name " %d: %d %d", c, M(name)(c), (name)(c)); } while (0)
    CLASS(isalpha); CLASS(isdigit); CLASS(isalnum); CLASS(isspace); CLASS(isupper); CLASS(islower); CLASS(isxdigit);
    CLASS(isprint); CLASS(isgraph); CLASS(isblank); CLASS(iscntrl); CLASS(ispunct); CLASS(isascii); CLASS(toascii);
    CLASS(tolower); CLASS(toupper);
    const unsigned short **M(__ctype_b_loc)(void);
    const int **M(__ctype_tolower_loc)(void);
    const int **M(__ctype_toupper_loc)(void);
    for (c = -128; c < 256; c++) {
        CHECK((*M(__ctype_b_loc)())[c] == (*__ctype_b_loc())[c], "class table %d", c);
        CHECK((*M(__ctype_tolower_loc)())[c] == (*__ctype_tolower_loc())[c], "lower table %d", c);
        CHECK((*M(__ctype_toupper_loc)())[c] == (*__ctype_toupper_loc())[c], "upper table %d", c);
    }
}

static void bytes(uint64_t x) {
    uint32_t M(htonl)(uint32_t), M(ntohl)(uint32_t);
    uint16_t M(htons)(uint16_t), M(ntohs)(uint16_t);
    int M(ffs)(int), M(ffsl)(long), M(ffsll)(long long);
    void M(swab)(const void *, void *, ssize_t);
    char a[9] = "", b[9] = "";
    CHECK(M(htonl)((uint32_t)x) == htonl((uint32_t)x) && M(ntohl)((uint32_t)x) == ntohl((uint32_t)x), "htonl");
    CHECK(M(htons)((uint16_t)x) == htons((uint16_t)x) && M(ntohs)((uint16_t)x) == ntohs((uint16_t)x), "htons");
    CHECK(M(ffs)((int)x) == ffs((int)x) && M(ffsl)((long)x) == ffsl((long)x) && M(ffsll)((long)x) == ffsll((long)x), "ffs");
    M(swab)(&x, a, (ssize_t)(x % 9)), swab(&x, b, (ssize_t)(x % 9));
    CHECK(memcmp(a, b, 8) == 0, "swab");
}

int main(void) {
    char a[64], b[64];
    int i;
    edge_a = edge(), edge_b = edge();
    for (shim_mode = 0; shim_mode < 3; shim_mode++) {
        characters();
        for (i = 0; i < 6000; i++) {
            random_text(a, roll(4) ? 8 : 30, roll(2) ? alphabet : "ab");
            random_text(b, roll(4) ? 5 : 30, roll(2) ? alphabet : "ab");
            if (roll(4) == 0) strcpy(b, a);
            if (roll(8) == 0 && *a) b[roll((uint32_t)strlen(a))] ^= 32;
            shim_object = roll(2) ? a : NULL;
            shim_object_size = sizeof a;
            compare(a, b, roll(12));
            compare(b, a, roll(3) ? roll(12) : SIZE_MAX);
            edges(a, b);
            copy(a, b, roll(40));
            search(a, b, roll(2) ? a[0] : (int)roll(256));
            tokens(a, b);
            compare_memory();
            bytes(((uint64_t)roll(1u << 31) << 33 | roll(1u << 31)) << roll(64));
        }
    }
    return finish();
}
