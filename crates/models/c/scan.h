/* What the parts of scanf share: where characters come from, and what a directive asks for. */
#ifndef COVET_SCAN_H
#define COVET_SCAN_H
#include "covet/files.h"


enum size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_QUAD };

struct source {
    const char *text;
    struct stream *ours;
    FILE *native;
    /* Characters taken so far (for %n). */
    int taken;
};

struct conversion {
    int suppress, allocate, position;
    /* -1: as many as there are. */
    int width;
    enum size size;
    char kind;
    /* For %[ ]. */
    unsigned char set[256];
};

/* How a directive ended. */
enum result { DONE, MISMATCH, INPUT_ENDED };

/* The next character, EOF at the end. */
int __covet_model_take(struct source *from);
void __covet_model_give_back(struct source *from, int c);
/* The first character that is not white space. */
int __covet_model_skip_space(struct source *from);

void __covet_model_store(void *to, enum size size, uint64_t value);
enum result __covet_model_scan_integer(struct source *from, struct conversion *conversion, void *to, int base, int is_signed);
enum result __covet_model_scan_float(struct source *from, struct conversion *conversion, void *to);
#endif
