/* getopt and its long forms: model against library, over random argument lists, messages included. */
#include "shim.h"
#include <getopt.h>
#include <unistd.h>
#define M(name) __covet_libc_##name
int M(getopt)(int, char *const *, const char *);
int M(getopt_long)(int, char *const *, const char *, const struct option *, int *);
int M(getopt_long_only)(int, char *const *, const char *, const struct option *, int *);

static int flag_value;
static const struct option names[] = {
    {"help", no_argument, NULL, 'h'}, {"helper", no_argument, NULL, 'H'}, {"output", required_argument, NULL, 'o'},
    {"opt", optional_argument, NULL, 'O'}, {"verbose", no_argument, &flag_value, 7}, {"a", no_argument, NULL, 500},
    {"same1", no_argument, NULL, 3}, {"same2", no_argument, NULL, 3}, {"x", required_argument, NULL, 501}, {NULL, 0, NULL, 0},
};
static const char *const letters[] = {"abc:d::", "+ab:", "-ab:", ":ab:c", "", "hW;ab:", "+:x:", "-:a", "ox:O"};
static const char *const words[] = {
    "-a", "-ab", "-b", "-bval", "-c", "-cX", "-d", "-dX", "--", "-", "file", "other", "--help", "--hel", "--output=x", "--output",
    "--out", "--opt", "--opt=1", "--verbose", "--verbose=1", "--unknown", "--sa", "-help", "-output", "-o", "-x", "-zab", "-W",
    "-Whelp", "help", "--=", "---", "-:", "-;", "", "--a", "-verb", "-ho", "-oX", "--o",
};

enum { WORDS = 9 };
struct trace { char text[4000]; int length; };

static void note(struct trace *t, int answer, int index, char **argv) {
    int i;
    t->length += snprintf(t->text + t->length, sizeof t->text - (size_t)t->length, "%d i%d a%s o%d x%d f%d |", answer, optind,
                          optarg ? optarg : "(none)", optopt, index, flag_value);
    for (i = 0; argv[i] && answer == -1; i++)
        t->length += snprintf(t->text + t->length, sizeof t->text - (size_t)t->length, "%s,", argv[i]);
}

/* Everything one pass shows; `kind` chooses the function, `ours` the side. */
static void pass(struct trace *t, int kind, int ours, int argc, char **argv, const char *spec) {
    int answer, index = -1, calls = 0;
    optind = 0, opterr = 1, optopt = 0, optarg = NULL, flag_value = 0;
    t->length = 0;
    rewind(stderr);
    do {
        index = -1;
        if (kind == 0) answer = ours ? M(getopt)(argc, argv, spec) : getopt(argc, argv, spec);
        else if (kind == 1) answer = ours ? M(getopt_long)(argc, argv, spec, names, &index) : getopt_long(argc, argv, spec, names, &index);
        else answer = ours ? M(getopt_long_only)(argc, argv, spec, names, &index) : getopt_long_only(argc, argv, spec, names, &index);
        note(t, answer, index, argv);
    } while (answer != -1 && ++calls < 30);
}

/* What was printed since the last call. */
static void messages(char *to, size_t room) {
    long end;
    fflush(stderr);
    end = lseek(2, 0, SEEK_CUR);
    if (end >= (long)room) end = (long)room - 1;
    to[pread(2, to, (size_t)end, 0)] = 0;
    if (ftruncate(2, 0)) abort();
    lseek(2, 0, SEEK_SET);
}

int main(void) {
    static struct trace x, y;
    static char said_x[8000], said_y[8000];
    char *a[WORDS + 2], *b[WORDS + 2], copies[WORDS][16];
    int round, i, n;
    if (!freopen("messages", "w+", stderr)) return 2;
    for (shim_mode = 0; shim_mode < 3; shim_mode++)
        for (round = 0; round < 12000; round++) {
            const char *spec = letters[roll(sizeof letters / sizeof *letters)];
            int kind = (int)roll(3);
            n = 1 + (int)roll(WORDS);
            a[0] = b[0] = "program";
            for (i = 1; i < n; i++) {
                if (roll(6)) strcpy(copies[i], words[roll(sizeof words / sizeof *words)]);
                else random_text(copies[i], 6, "-abcoWhx=:");
                a[i] = b[i] = copies[i];
            }
            a[n] = b[n] = NULL;
            pass(&x, kind, 1, n, a, spec);
            messages(said_x, sizeof said_x);
            pass(&y, kind, 0, n, b, spec);
            messages(said_y, sizeof said_y);
            CHECK(strcmp(x.text, y.text) == 0, "kind %d '%s':\n  %s\n  %s", kind, spec, x.text, y.text);
            CHECK(strcmp(said_x, said_y) == 0, "kind %d '%s' said:\n  %s\n  %s", kind, spec, said_x, said_y);
        }
    unlink("messages");
    return finish();
}
