/* What the system gives a function that is explored by itself: environment variables, bytes read, sizes of files.
 *
 * Turns answers of the system into inputs of the run: `env.NAME` says whether a variable is set, `env.NAME.text[0]` ... what to;
 * `os.read` is the result of the first call of `read`, `os.read-2` that of the second, `os.read.bytes[0]` ... what it filled; `os.open` is whether the
 * file is there that is opened first, `os.open.bytes[0]` ... what it holds. Used twice, as models
 * and in test programs, which have these values by name. Invariant: an answer is one that the system may give (no more bytes than
 * there is room for, no negative size). Each function says whether its answer is an input; otherwise the system is to be asked. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Characters that a text has at first, those of an environment variable that are input, and those that may follow; bytes of one answer that are input. */
enum { COVET_FIRST = 8, COVET_TEXT = 64, COVET_MORE = 1023, COVET_NAME = 40, COVET_VARIABLES = 8, COVET_FILLED = 256 };
/* The numbers of abi::input::ValueKind. */
enum { COVET_SIGNED = 1, COVET_UNSIGNED = 2, COVET_BOOL = 5 };

/* What an input is called. */
struct covet_label {
    char text[128];
    size_t length;
};

static void covet_add(struct covet_label *label, const char *text) {
    while (*text && label->length + 1 < sizeof label->text) label->text[label->length++] = *text++;
    label->text[label->length] = 0;
}

static struct covet_label covet_part(struct covet_label label, const char *part) {
    covet_add(&label, ".");
    covet_add(&label, part);
    return label;
}

/* The call of this name that is number `count`. */
static struct covet_label covet_call(const char *name, unsigned count) {
    struct covet_label label = {{0}, 0};
    char digits[12];
    size_t at = sizeof digits - 1;
    covet_add(&label, "os.");
    covet_add(&label, name);
    if (count < 2) return label;
    digits[at] = 0;
    for (; count; count /= 10) digits[--at] = (char)('0' + count % 10);
    covet_add(&label, "-");
    covet_add(&label, digits + at);
    return label;
}

static int64_t covet_number(struct covet_label label, const char *part) {
    struct covet_label whole = covet_part(label, part);
    return (int64_t)COVET_INPUT(COVET_SIGNED, 64, whole.text);
}

static int covet_is_letter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Each variable has one value throughout a run. */
static struct {
    char name[COVET_NAME];
    int is_set;
    char text[COVET_TEXT + COVET_MORE + 1];
} covet_variables[COVET_VARIABLES];
static unsigned covet_variable_count;

COVET_OS int COVET_ANSWER(getenv)(const char *name, char **result) {
    struct covet_label label = {{0}, 0}, part;
    char known[COVET_NAME];
    size_t at, length;
    unsigned i;
    for (at = 0; at < sizeof known; at++) {
        known[at] = (char)COVET_PINNED(name[at]);
        if (!known[at]) break;
        if (at + 1 == sizeof known || !covet_is_letter(known[at])) return 0;
    }
    for (i = 0; i < covet_variable_count; i++)
        if (!strcmp(covet_variables[i].name, known)) {
            *result = covet_variables[i].is_set ? covet_variables[i].text : NULL;
            return 1;
        }
    covet_add(&label, "env.");
    covet_add(&label, at ? known : "_");
    if (i == COVET_VARIABLES || !COVET_ASKED(label.text)) return 0;
    covet_variable_count++;
    __builtin_memcpy(covet_variables[i].name, known, at + 1);
    covet_variables[i].is_set = COVET_INPUT(COVET_BOOL, 1, label.text) != 0;
    *result = NULL;
    if (!covet_variables[i].is_set) return 1;
    part = covet_part(label, "text");
    COVET_FILL(covet_variables[i].text, COVET_TEXT, part.text);
    part = covet_part(label, "more");
    length = COVET_FIRST + (size_t)COVET_PLAIN(COVET_INPUT(COVET_UNSIGNED, 10, part.text));
    if (length < COVET_TEXT) length = COVET_TEXT;
    if (length > COVET_TEXT + COVET_MORE) length = COVET_TEXT + COVET_MORE;
    __builtin_memset(covet_variables[i].text + COVET_TEXT, 'a', length - COVET_TEXT);
    covet_variables[i].text[length] = 0;
    *result = covet_variables[i].text;
    return 1;
}

/* What `read` and its kin give: an error, the end, all that was wanted, or less. */
COVET_OS int COVET_ANSWER(read)(const char *call, unsigned count, void *to, size_t most, ssize_t *result) {
    struct covet_label label = covet_call(call, count), bytes;
    int64_t got;
    if (!COVET_ASKED(label.text)) return 0;
    got = (int64_t)COVET_INPUT(COVET_SIGNED, 64, label.text);
    COVET_ASSUME((got >= -1) & (got <= (int64_t)(most > INT64_MAX ? INT64_MAX : most)));
    if (got < 0) {
        errno = EIO;
        *result = -1;
        return 1;
    }
    if ((size_t)got == most) got = (int64_t)most;
    else got = COVET_COUNTED(got);
    *result = (ssize_t)got;
    if (got == 0) return 1;
    __builtin_memset(to, 0, (size_t)got);
    bytes = covet_part(label, "bytes");
    COVET_FILL(to, got < COVET_FILLED ? (size_t)got : COVET_FILLED, bytes.text);
    return 1;
}

/* Whether a file is there that is opened. */
COVET_OS int COVET_ANSWER(open)(unsigned count, int *is_there) {
    struct covet_label label = covet_call("open", count);
    if (!COVET_ASKED(label.text)) return 0;
    *is_there = COVET_INPUT(COVET_BOOL, 1, label.text) != 0;
    if (!*is_there) errno = ENOENT;
    return 1;
}

/* What it holds: the bytes there is room for, or so many fewer. Gives their number. */
COVET_OS uint64_t COVET_ANSWER(contents)(unsigned count, unsigned char *bytes, size_t room) {
    struct covet_label label = covet_call("open", count), part = covet_part(label, "bytes");
    uint64_t shorter;
    COVET_FILL(bytes, room, part.text);
    part = covet_part(label, "shorter");
    shorter = (uint64_t)COVET_INPUT(COVET_UNSIGNED, 32, part.text);
    COVET_ASSUME(shorter <= room);
    return room - shorter;
}

COVET_OS int COVET_ANSWER(stat)(unsigned count, struct stat *to, int *result) {
    struct covet_label label = covet_call("stat", count);
    if (!COVET_ASKED(label.text)) return 0;
    *result = -(int)COVET_INPUT(COVET_BOOL, 1, label.text);
    if (*result) {
        errno = ENOENT;
        return 1;
    }
    __builtin_memset(to, 0, sizeof *to);
    to->st_mode = (mode_t)covet_number(label, "mode");
    to->st_size = (off_t)covet_number(label, "size");
    COVET_ASSUME(to->st_size >= 0);
    to->st_mtime = (time_t)covet_number(label, "mtime");
    to->st_uid = (uid_t)covet_number(label, "uid");
    to->st_nlink = (nlink_t)covet_number(label, "nlink");
    to->st_ino = (ino_t)covet_number(label, "ino");
    to->st_blksize = 4096;
    return 1;
}

/* Bytes that an answer to a request has, and where they begin. */
static size_t covet_answer(unsigned long request, size_t *from) {
    enum { NAME = 16, INTERFACE = 40, READS = 2 };
    size_t size = (request >> 16) & 0x3fff;
    *from = 0;
    switch (request) {
    case 0x5401: return 36; /* TCGETS */
    case 0x5413: return 8; /* TIOCGWINSZ */
    case 0x540f: case 0x5411: case 0x5415: case 0x541b: return 4; /* process group, queue, modem lines, bytes to read */
    case 0x8912: return 0; /* SIOCGIFCONF answers through a pointer */
    case 0x8910: return NAME;
    default: break;
    }
    if (request >> 8 == 0x89) {
        /* An answer about an interface stands behind its name. */
        *from = NAME;
        return INTERFACE - NAME;
    }
    return request >> 30 & READS && size <= COVET_FILLED ? size : 0;
}

COVET_OS int COVET_ANSWER(ioctl)(unsigned count, unsigned long request, void *to, int *result) {
    struct covet_label label = covet_call("ioctl", count), bytes;
    size_t from, size = covet_answer(request, &from);
    if (!COVET_ASKED(label.text)) return 0;
    *result = -(int)COVET_INPUT(COVET_BOOL, 1, label.text);
    if (*result) {
        errno = ENOTTY;
        return 1;
    }
    bytes = covet_part(label, "bytes");
    if (to && size) COVET_FILL((char *)to + from, size, bytes.text);
    return 1;
}
