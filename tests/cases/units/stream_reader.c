// A reader of `key=value` lines over a FILE: the stream is part of the input, and its bytes are symbolic.
// covet: cover % --function count_pairs
// covet: cover % --function first_word
// covet: cover % --function copy_header
// covet: cover % --function echo
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Correct: NULL and every content are handled. */
int count_pairs(FILE *in) {
    char line[16];
    int pairs = 0;
    if (in == NULL) return -1;
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#') continue;
        if (strchr(line, '=')) pairs++;
    }
    return pairs;
}

/* Seeded: a word of five letters. */
int first_word(FILE *in) {
    char word[8];
    int length = 0, c;
    if (in == NULL) return -1;
    while ((c = getc(in)) != EOF && isalpha(c) && length < 7) word[length++] = (char)c;
    word[length] = 0;
    return strcmp(word, "end") == 0 ? 1000 : 100 / (length - 5);
}

struct source {
    FILE *file;
    int version;
};

/* Seeded: the stream inside may be NULL. */
int copy_header(struct source *from) {
    unsigned char header[4];
    if (from == NULL) return -1;
    if (fread(header, 1, sizeof header, from->file) < sizeof header) return -2;
    if (header[0] != 'C' || header[1] != 'V') return -3;
    from->version = header[2];
    return header[3] == 7;
}

/* Correct: what was read is written behind it, and read again. */
int echo(FILE *both) {
    int c, again;
    if (both == NULL || (c = fgetc(both)) == EOF) return 0;
    if (fseek(both, 0, SEEK_END) != 0 || fputc(c ^ 1, both) == EOF) return 1;
    if (fseek(both, -1, SEEK_END) != 0) return 2;
    again = fgetc(both);
    return again == 'q' ? 3 : again == (c ^ 1) ? 4 : 5;
}
