/* getopt, getopt_long, getopt_long_only.
 *
 * Turns an argument list whose characters may be symbolic into options, with branches of our own at each character and
 * each option name. State, permutation and messages are those of the GNU functions. */
#include "covet/model.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

/* These stand before the library's, so that they start afresh in every run; a program may still have its own. */
__attribute__((weak)) char *optarg;
__attribute__((weak)) int optind = 1, opterr = 1, optopt = '?';

enum order { PERMUTE, STOP_AT_OPERAND, OPERANDS_IN_ORDER };

static struct {
    int started;
    enum order order;
    /* What is left of the word with short options; NULL between words. */
    char *rest;
    /* Operands skipped so far stand at [first_operand, last_operand). */
    int first_operand, last_operand;
    /* The library keeps its own `optopt` and shows it after every call. */
    int letter;
} state;

/* One call: its arguments, and how they are to be read. */
struct call {
    int argc;
    char **argv;
    const char *letters;
    const struct option *names;
    int *index;
    int single_dash;
    int silent;
};

static int is_operand(const char *word) { return word[0] != '-' || word[1] == 0; }

static void complain(const struct call *call, const char *format, const char *prefix, const char *name) {
    if (call->silent) return;
    fprintf(stderr, "%s: ", call->argv[0]);
    fprintf(stderr, format, prefix, name);
    fputc('\n', stderr);
}

/* What a missing argument is answered with. */
static int missing(const struct call *call) { return call->letters[0] == ':' ? ':' : '?'; }

static void reverse(char **words, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* Moves the operands behind the options that were read after them. */
static void move_operands(char **argv) {
    int moved = optind - state.last_operand;
    reverse(argv, state.first_operand, state.last_operand);
    reverse(argv, state.last_operand, optind);
    reverse(argv, state.first_operand, optind);
    state.first_operand += moved;
    state.last_operand = optind;
}

static void start(struct call *call) {
    if (optind == 0 || !state.started) {
        if (optind == 0) optind = 1;
        state.first_operand = state.last_operand = optind;
        state.rest = NULL;
        state.order = PERMUTE;
        if (call->letters[0] == '-') state.order = OPERANDS_IN_ORDER;
        else if (call->letters[0] == '+' || getenv("POSIXLY_CORRECT")) state.order = STOP_AT_OPERAND;
        state.started = 1;
    }
    if (call->letters[0] == '-' || call->letters[0] == '+') call->letters++;
    call->silent = !opterr || call->letters[0] == ':';
}

static int starts_with(const char *name, const char *text, size_t length) {
    int differ = 0;
    size_t i;
    if (strlen(name) < length) return 0;
    for (i = 0; i < length; i++) differ |= name[i] ^ text[i];
    return !differ;
}

static int alike(const struct option *a, const struct option *b) {
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The option of this name, or the only one that starts so. -1: none; -2: several. */
static int find_name(const struct call *call, const char *text, size_t length) {
    const struct option *all = call->names;
    int i, found = -1;
    for (i = 0; all[i].name; i++)
        if (strlen(all[i].name) == length && starts_with(all[i].name, text, length)) return i;
    for (i = 0; all[i].name; i++) {
        if (!starts_with(all[i].name, text, length)) continue;
        if (found < 0) found = i;
        else if (call->single_dash || !alike(&all[found], &all[i])) return -2;
    }
    return found;
}

static void complain_ambiguous(const struct call *call, const char *prefix, size_t length) {
    int i;
    if (call->silent) return;
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, state.rest);
    for (i = 0; call->names[i].name; i++)
        if (strncmp(call->names[i].name, state.rest, length) == 0)
            fprintf(stderr, " '%s%s'", prefix, call->names[i].name);
    fputc('\n', stderr);
}

/* The argument of a long option that was found; 0 when all is well, otherwise what to answer. */
static int long_argument(const struct call *call, const struct option *option, char *after_name, const char *prefix) {
    if (*after_name) {
        if (option->has_arg) {
            optarg = after_name + 1;
            return 0;
        }
        complain(call, "option '%s%s' doesn't allow an argument", prefix, option->name);
        optopt = option->val;
        return '?';
    }
    if (option->has_arg != required_argument) return 0;
    if (optind < call->argc) {
        optarg = call->argv[optind++];
        return 0;
    }
    complain(call, "option '%s%s' requires an argument", prefix, option->name);
    optopt = option->val;
    return missing(call);
}

/* Reads the long option at `state.rest`. -1: it is none, and may be a word of short ones. */
static int long_option(struct call *call, const char *prefix) {
    char *end = state.rest;
    int found, wrong;
    while (*end && *end != '=') end++;
    found = find_name(call, state.rest, (size_t)(end - state.rest));
    if (found == -2) {
        complain_ambiguous(call, prefix, (size_t)(end - state.rest));
        state.rest += strlen(state.rest);
        optind++;
        optopt = 0;
        return '?';
    }
    if (found == -1) {
        if (call->single_dash && call->argv[optind][1] != '-' && MODEL(strchr)(call->letters, *state.rest)) return -1;
        complain(call, "unrecognized option '%s%s'", prefix, state.rest);
        state.rest = NULL;
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    state.rest = NULL;
    if ((wrong = long_argument(call, &call->names[found], end, prefix)) != 0) return wrong;
    if (call->index) *call->index = found;
    if (!call->names[found].flag) return call->names[found].val;
    *call->names[found].flag = call->names[found].val;
    return 0;
}

static int letter_needs_argument(const struct call *call, int c) {
    char text[2] = {(char)c, 0};
    complain(call, "option requires an argument -- '%s%s'", text, "");
    optopt = c;
    return missing(call);
}

/* `-W name` stands for `--name` when the letters say so. */
static int letter_w(struct call *call, int c) {
    if (*state.rest == 0) {
        if (optind == call->argc) return letter_needs_argument(call, c);
        state.rest = call->argv[optind];
    }
    call->single_dash = 0;
    return long_option(call, "-W ");
}

static int short_option(struct call *call) {
    char c = *state.rest++, text[2] = {c, 0};
    const char *known = MODEL(strchr)(call->letters, c);
    if (*state.rest == 0) optind++;
    if (known == NULL || c == ':' || c == ';') {
        complain(call, "invalid option -- '%s%s'", text, "");
        optopt = c;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && call->names) return letter_w(call, c);
    if (known[1] != ':') return c;
    if (*state.rest) {
        optarg = state.rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind == call->argc) {
            state.rest = NULL;
            return letter_needs_argument(call, c);
        }
        optarg = call->argv[optind++];
    }
    state.rest = NULL;
    return c;
}

/* Goes to the next word with options. 0: it is at `optind`; otherwise what to answer. */
static int next_word(struct call *call) {
    if (state.last_operand > optind) state.last_operand = optind;
    if (state.first_operand > optind) state.first_operand = optind;
    if (state.order == PERMUTE) {
        if (state.first_operand != state.last_operand && state.last_operand != optind) move_operands(call->argv);
        else if (state.last_operand != optind) state.first_operand = optind;
        while (optind < call->argc && is_operand(call->argv[optind])) optind++;
        state.last_operand = optind;
    }
    if (optind != call->argc && call->argv[optind][0] == '-' && call->argv[optind][1] == '-' &&
        call->argv[optind][2] == 0) {
        optind++;
        if (state.first_operand != state.last_operand && state.last_operand != optind) move_operands(call->argv);
        else if (state.first_operand == state.last_operand) state.first_operand = optind;
        state.last_operand = optind = call->argc;
    }
    if (optind == call->argc) {
        if (state.first_operand != state.last_operand) optind = state.first_operand;
        return -1;
    }
    if (!is_operand(call->argv[optind])) return 0;
    if (state.order == STOP_AT_OPERAND) return -1;
    optarg = call->argv[optind++];
    return 1;
}

static int read_word(struct call *call) {
    int answer;
    optarg = NULL;
    start(call);
    if (state.rest == NULL || *state.rest == 0) {
        char *word;
        if ((answer = next_word(call)) != 0) return answer;
        word = call->argv[optind];
        if (call->names && word[1] == '-') {
            state.rest = word + 2;
            return long_option(call, "--");
        }
        if (call->names && call->single_dash && (word[2] || !MODEL(strchr)(call->letters, word[1]))) {
            state.rest = word + 1;
            if ((answer = long_option(call, "-")) != -1) return answer;
        }
        state.rest = word + 1;
    }
    return short_option(call);
}

static int read_option(struct call *call) {
    int answer;
    optopt = state.letter;
    answer = call->argc < 1 ? -1 : read_word(call);
    state.letter = optopt;
    return answer;
}

int MODEL(getopt)(int argc, char *const *argv, const char *letters) {
    struct call call = {(int)settled(argc), (char **)argv, letters, NULL, NULL, 0, 0};
    return read_option(&call);
}

int MODEL(__posix_getopt)(int argc, char *const *argv, const char *letters) {
    struct call call = {(int)settled(argc), (char **)argv, letters, NULL, NULL, 0, 0};
    if (!state.started || optind == 0) {
        struct call first = call;
        start(&first);
        if (state.order == PERMUTE) state.order = STOP_AT_OPERAND;
    }
    return read_option(&call);
}

int MODEL(getopt_long)(int argc, char *const *argv, const char *letters, const struct option *names, int *index) {
    struct call call = {(int)settled(argc), (char **)argv, letters, names, index, 0, 0};
    return read_option(&call);
}

int MODEL(getopt_long_only)(int argc, char *const *argv, const char *letters, const struct option *names, int *index) {
    struct call call = {(int)settled(argc), (char **)argv, letters, names, index, 1, 0};
    return read_option(&call);
}
