/* scanf: model against library, over a string, over a symbolic file and over a native stream. */
#include "shim.h"
#include <unistd.h>
#include <wchar.h>
#define M(name) __covet_libc_##name
int M(sscanf)(const char *, const char *, ...);
int M(fscanf)(FILE *, const char *, ...);
FILE *M(fopen)(const char *, const char *);
int M(fclose)(FILE *);
int M(fgetc)(FILE *);

/* Room for the arguments of any format; compared as bytes. */
enum { ARGUMENTS = 6, ROOM = 128 };
struct memory { _Alignas(16) char at[ARGUMENTS][ROOM]; };

static const char *const formats[] = {
    "%d", "%d %d", "%d,%d", "%3d%d", "%i", "%i %i", "%u", "%x", "%X %x", "%o", "%hhd %hd", "%ld %lld", "%zu %jd %td", "%5i%n",
    "%c", "%c%c", "%3c", " %c", "%s", "%s %s", "%3s%s", "%[a-c]", "%[^,],%s", "%[]a]%d", "%[^]x]", "%2[0-9]%n", "%[a-]",
    "%*d %d", "%*s%d", "%*[abc]%s", "%*c%c", "%%%d", "%d%%", "x%dy", "a b%d", "%d %n", "%n%d", "%hhu%hu", "%li", "%p",
    "%f", "%lf", "%Lf", "%e,%lg", "%3f%f", "%5lf%s", "%a", "%f%n", "%*f%d", "%1f%d", "%2f%s", "%4lf%c", "%f %d %s",
    "%2$d %1$d", "%d-%d-%d", "%d:%d:%d", "%4d-%2d-%2dT%2d", "%lx:%lx", "%hhx%hhx", "%qd", "%Ld", "%1[+-]%d", "%s=%d",
    "%ls", "%lc", "%2lc", "%l[abc]", "%'d", "(%d)", "%d%s%d", "%c%d%c", "%6x", "%2x%2x", "%1i%s", "%2i%s", "%3i%s", "%2x%s",
    "%5s%5d%5c", "%d %", "%!d", "%-d", "%5%%d", "%[z-a]%s", "%[^\n]", "%[\n]", "%10[^ab]", "%0d", "%1$s", "%3f", "%4f%s",
};
static const char *const alphabets[] = {
    "0123456789", "0123456789 +-,", "abcxyz ,", "0123456789.eE+-", "0xX19afAF ", "infatyINFATYn ", "(nil)0x ", "]x-a%,=: \n",
    "+-0xX.p1e ", "\x80\xff ab", "1-2:3T, ",
};
static const char *const texts[] = {
    "", " ", "0x", "0xg", "-0x1F", "+", "-", "--1", "0x1.8p3", "0xp", "inf", "infinity", "infinitx", "in", "nan", "nax",
    "-nan(12)", "1e", "1e+", "1e5x", ".", ".5", "5.", "-.e", "(nil)", "(nix)", "2147483648", "-2147483649",
    "9223372036854775808", "18446744073709551616", "99999999999999999999", "2024-02-30T10", "12:34:56", "a,b", "abc,def",
    "%5", "x5y", "  7  8", "0 0", "00", "08", "0779", "1,2", "]a]5", "a-b", "3.14159 2 z", "(5)", "ff00", "1e400", "1e-400",
    "0.1", "123456789012345678901234567890.5", "0000000000000000000000000000000000000000000000000001", "e5", "0e", "0x.p",
};

static void describe(const char *from, const char *text, const char *format, int x, int y, int e, int f,
                     const struct memory *a, const struct memory *b) {
    int i, same = x == y && e == f && memcmp(a, b, sizeof *a) == 0;
    for (i = 0; i < ARGUMENTS && memcmp(a->at[i], b->at[i], ROOM) == 0; i++) {}
    CHECK(same, "%s of '%s' by '%s': %d/%d rest %d/%d, argument %d: %.8s/%.8s", from, text, format, x, y, e, f, i,
          i < ARGUMENTS ? a->at[i] : "", i < ARGUMENTS ? b->at[i] : "");
}

#define POINTERS(m) (m).at[0], (m).at[1], (m).at[2], (m).at[3], (m).at[4], (m).at[5]

static void from_string(const char *text, const char *format) {
    struct memory a, b;
    int x, y;
    memset(&a, '#', sizeof a), memset(&b, '#', sizeof b);
    x = M(sscanf)(text, format, POINTERS(a));
    y = sscanf(text, format, POINTERS(b));
    describe("sscanf", text, format, x, y, 0, 0, &a, &b);
}

/* Twice in a row on one stream, then the rest: shows what stays unread. */
static void from_file(const char *text, const char *format, FILE *native) {
    struct memory a, b;
    FILE *sym, *same;
    int i, x, y, e, f;
    size_t length = strlen(text);
    memcpy(shim_file, text, length);
    shim_file_size = length;
    sym = M(fopen)("sym", "r");
    rewind(native);
    if (ftruncate(fileno(native), 0)) abort();
    fwrite(text, 1, length, native);
    fflush(native);
    rewind(native);
    same = fmemopen((void *)(length ? text : "x"), length ? length : 1, "r");
    if (!length) getc(same);
    for (i = 0; i < 2; i++) {
        memset(&a, '#', sizeof a), memset(&b, '#', sizeof b);
        x = M(fscanf)(sym, format, POINTERS(a));
        y = fscanf(same, format, POINTERS(b));
        e = M(fgetc)(sym), f = getc(same);
        describe("fscanf", text, format, x, y, e, f, &a, &b);
        memset(&a, '#', sizeof a);
        x = M(fscanf)(native, format, POINTERS(a));
        e = getc(native);
        describe("native fscanf", text, format, x, y, e, f, &a, &b);
    }
    M(fclose)(sym);
    fclose(same);
}

static void allocated(void) {
    char *p = NULL, *q = NULL;
    wchar_t *w = NULL;
    CHECK(M(sscanf)("hello world", "%ms %m[a-z]", &p, &q) == 2 && !strcmp(p, "hello") && !strcmp(q, "world"), "%%ms");
    free(p), free(q);
    CHECK(M(sscanf)("abc", "%2mc", &p) == 1 && !memcmp(p, "ab", 2), "%%mc");
    free(p);
    CHECK(M(sscanf)("wide", "%mls", &w) == 1 && !wcscmp(w, L"wide"), "%%mls");
    free(w);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))
int main(void) {
    char text[64];
    size_t i, j;
    int round;
    FILE *native = tmpfile();
    for (shim_mode = 1; shim_mode < 3; shim_mode++) {
        allocated();
        for (i = 0; i < COUNT(formats); i++) {
            for (j = 0; j < COUNT(texts); j++) {
                from_string(texts[j], formats[i]);
                if (shim_mode == 1) from_file(texts[j], formats[i], native);
            }
            for (round = 0; round < 250; round++) {
                random_text(text, roll(3) ? 8 : 20, alphabets[roll(COUNT(alphabets))]);
                from_string(text, formats[i]);
                if (shim_mode == 1 && round % 10 == 0) from_file(text, formats[i], native);
            }
        }
    }
    return finish();
}
