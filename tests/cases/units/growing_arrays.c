// Arrays whose length nobody tells grow as the program reaches beyond them; lengths are known by use, and by pointers to their end.
// covet: cover % --function long_name
// covet: cover % --function transpose
// covet: cover % --function entry
// covet: cover % --function find
// covet: cover % --function parse_number
// covet: cover % --function scan
// covet: cover % --function header --until exhausted --iterations 60
// covet: cover % --function third
#include <stddef.h>
#include <string.h>

/* Correct: texts of more than eight characters. */
int long_name(const char *name) {
    if (name == NULL) return -1;
    if (strlen(name) > 20) return 2;
    return strncmp(name, "prefix_", 7) == 0 && name[7] == 'z' ? 1 : 0;
}

/* Correct: sixteen elements are needed, whatever the input. */
int transpose(int *m) {
    if (m == NULL) return -1;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            int t = m[i * 4 + j];
            m[i * 4 + j] = m[j * 4 + i];
            m[j * 4 + i] = t;
        }
    return m[1] == 7 && m[14] == 9;
}

/* Correct: the index is checked, so the table is as long as it needs to be. */
int entry(const long *table, unsigned at) {
    if (table == NULL || at > 20) return -1;
    return at == 17 && table[at] == 42;
}

/* Correct: `amount` is the length, as the loop says. */
int find(const short *values, int wanted, int amount) {
    if (values == NULL) return -1;
    for (int k = 0; k < amount; k++)
        if (values[k] == wanted) return k;
    return -2;
}

/* Correct: up to the end. */
int parse_number(const char *p, const char *end) {
    int value = 0;
    if (p == end) return -1;
    while (p < end && *p >= '0' && *p <= '9') value = value * 10 + (*p++ - '0') & 0xffff;
    return p == end ? value == 1234 ? -3 : value : -2;
}

struct reader { const unsigned char *start, *at, *end; };

/* Correct: the position is between start and end. */
int scan(struct reader *r) {
    if (r == NULL || r->start == NULL) return -1;
    if (r->end - r->at < 3) return -2;
    if (r->at - r->start == 2 && r->at[0] == 'x') return 1;
    return r->at[2] == 'y' ? 2 : 3;
}

/* Seeded: the byte after a carriage return may be behind the end. */
int header(const char *p, const char *end) {
    while (p < end && *p != '\r') p++;
    if (p < end) {
        p++;
        return *p == '\n' ? 1 : 2;
    }
    return 0;
}

/* Seeded, whatever the length: an index before the start. */
int third(const int *values, int at) {
    if (values == NULL || at > 2) return -1;
    return values[at] == 3;
}
