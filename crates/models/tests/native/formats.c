/* sprintf: model against library, over random directives and values. */
#include "shim.h"
#define M(name) __covet_libc_##name
int M(snprintf)(char *, size_t, const char *, ...);
int M(sprintf)(char *, const char *, ...);
int M(asprintf)(char **, const char *, ...);

#define COMPARE(...)                                                                                    \
    do {                                                                                                \
        char x[300], y[300];                                                                            \
        size_t room = roll(4) ? sizeof x : roll(30);                                                    \
        int p, q;                                                                                       \
        memset(x, '#', sizeof x), memset(y, '#', sizeof y);                                             \
        p = M(snprintf)(x, room, __VA_ARGS__), q = snprintf(y, room, __VA_ARGS__);                      \
        CHECK(p == q && memcmp(x, y, sizeof x) == 0, "'%s': %d/%d '%.60s' '%.60s'", format, p, q, x, y);   \
    } while (0)

static void directive(char *to, const char *kinds, int stars) {
    static const char *const sizes[] = {"hh", "h", "", "l", "ll", "z", "j"};
    int n = 0, i;
    n += sprintf(to, "<%s%%", roll(2) ? "text" : "");
    for (i = (int)roll(3); i > 0; i--) to[n++] = "-+ 0#"[roll(5)];
    if (stars) n += sprintf(to + n, "*.*");
    else {
        if (roll(2)) n += sprintf(to + n, "%u", roll(15));
        if (roll(2)) n += sprintf(to + n, ".%u", roll(15));
    }
    n += sprintf(to + n, "%s", strlen(kinds) > 2 && strchr(kinds, 'd') ? sizes[roll(7)] : "");
    sprintf(to + n, "%c>%%", kinds[roll((uint32_t)strlen(kinds))]);
}

int main(void) {
    static const long values[] = {0, 1, -1, 9, 10, 99, 100, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 255, 256, 65535, -128};
    static const char *const texts[] = {"", "a", "hello", "a longer text than that", "tab\t\x80\xff"};
    char format[100], *made;
    int round;
    for (shim_mode = 0; shim_mode < 3; shim_mode++) {
        shim_values = shim_mode == 1;
        for (round = 0; round < 12000; round++) {
            long value = roll(3) ? values[roll(sizeof values / sizeof *values)] : (long)(((uint64_t)roll(1u << 31) << 33) ^ roll(1u << 31)) >> roll(60);
            const char *text = texts[roll(5)];
            int wide = (int)roll(20) - 10, precise = (int)roll(12) - 2;
            double real = (double)value / (1 + roll(1000));
            directive(format, "diouxX", 0); COMPARE(format, value);
            directive(format, "diouxX", 1); COMPARE(format, wide, precise, value);
            directive(format, "s", 0); COMPARE(format, text);
            directive(format, "s", 1); COMPARE(format, wide, precise, text);
            directive(format, "c", 0); COMPARE(format, (int)(value & 255));
            directive(format, "ea", 0); COMPARE(format, real);
            strcpy(format, "%d:%s %c%5.2f|%-8x|%p|%s|%ld|%%%u");
            COMPARE(format, (int)value, text, 'x', real, (unsigned)value, (void *)text, text, value, 7u);
            strcpy(format, "%s%d%Lf%p");
            COMPARE(format, (char *)NULL, (int)value, (long double)real, NULL);
        }
        {
            int at_x = 0, at_y = 0;
            char x[50], y[50];
            M(sprintf)(x, "%d%n%s", 12345, &at_x, "z"), sprintf(y, "%d%n%s", 12345, &at_y, "z");
            CHECK(at_x == at_y && !strcmp(x, y), "%%n");
        }
        CHECK(M(asprintf)(&made, "%s-%d", "name", 42) == 7 && !strcmp(made, "name-42"), "asprintf");
        free(made);
    }
    return finish();
}
