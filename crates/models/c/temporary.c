/* Temporary files are made in the folder that a run may write: the one it starts in.
 *
 * Used twice: as library models, and as functions of test programs that stand before the library's. Names are numbered, so every
 * run meets the same ones. A template in /tmp becomes one in the present folder, which is shorter to write. */
#ifdef COVET_MODEL_H
#include "covet/outside.h"
#define COVET_TEMPORARY(name) MODEL(name)
#define COVET_OPENED(descriptor) __covet_model_own(descriptor)
#else
#define COVET_TEMPORARY(name) name
#define COVET_OPENED(descriptor) (descriptor)
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
extern FILE *fdopen(int, const char *);
extern void *malloc(size_t);

static int covet_made(char *template, int flags, int is_folder) {
    size_t length = strlen(template), at;
    if (length < 6 || strcmp(template + length - 6, "XXXXXX")) {
        errno = EINVAL;
        return -1;
    }
    size_t skipped = !strncmp(template, "/tmp/", 5) ? 5 : !strncmp(template, "/var/tmp/", 9) ? 9 : 0;
    if (skipped) {
        for (at = 0; at + skipped <= length; at++) template[at + 2] = template[at + skipped];
        template[0] = '.';
        template[1] = '/';
        length = length - skipped + 2;
    }
    unsigned number;
    for (number = 0; number < 1000000; number++) {
        unsigned rest = number;
        for (at = 1; at <= 6; at++, rest /= 10) template[length - at] = (char)('0' + rest % 10);
        int made = is_folder ? mkdir(template, 0700) : COVET_OPENED(open(template, flags | O_RDWR | O_CREAT | O_EXCL, 0600));
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}

int COVET_TEMPORARY(mkostemp)(char *template, int flags) { return covet_made(template, flags, 0); }
int COVET_TEMPORARY(mkostemp64)(char *template, int flags) { return covet_made(template, flags, 0); }
int COVET_TEMPORARY(mkstemp)(char *template) { return covet_made(template, 0, 0); }
int COVET_TEMPORARY(mkstemp64)(char *template) { return covet_made(template, 0, 0); }
char *COVET_TEMPORARY(mkdtemp)(char *template) { return covet_made(template, 0, 1) < 0 ? NULL : template; }

FILE *COVET_TEMPORARY(tmpfile)(void) {
    char name[] = "./covet-XXXXXX";
    int descriptor = covet_made(name, 0, 0);
    if (descriptor < 0) return NULL;
    unlink(name);
    FILE *file = fdopen(descriptor, "w+b");
    if (file == NULL) close(descriptor);
    return file;
}
FILE *COVET_TEMPORARY(tmpfile64)(void) { return COVET_TEMPORARY(tmpfile)(); }

/* A name that nobody has yet, and that was not given before: six digits at its end. */
static char *covet_free_name(char *name, size_t length) {
    static unsigned number;
    while (number < 1000000) {
        unsigned rest = number++;
        size_t at;
        for (at = 1; at <= 6; at++, rest /= 10) name[length - at] = (char)('0' + rest % 10);
        name[length] = 0;
        if (access(name, F_OK)) return name;
    }
    return NULL;
}

char *COVET_TEMPORARY(tmpnam)(char *name) {
    static char own[] = "./covet-XXXXXX";
    if (name == NULL) return covet_free_name(own, sizeof own - 1);
    memcpy(name, "./covet-XXXXXX", sizeof own);
    return covet_free_name(name, sizeof own - 1);
}
char *COVET_TEMPORARY(tmpnam_r)(char *name) { return name == NULL ? NULL : COVET_TEMPORARY(tmpnam)(name); }

char *COVET_TEMPORARY(tempnam)(const char *folder, const char *prefix) {
    size_t length = prefix == NULL ? 0 : strlen(prefix);
    (void)folder;
    if (length > 5) length = 5; /* of a longer one, POSIX takes so much */
    char *name = malloc(length + 9);
    if (name == NULL) return NULL;
    memcpy(name, "./", 2);
    if (length) memcpy(name + 2, prefix, length);
    return covet_free_name(name, length + 8);
}
