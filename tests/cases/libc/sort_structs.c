// qsort of structs by two keys, strings among them.
// covet: cover % --function ranked --iterations 150
#include <stdlib.h>
#include <string.h>
struct entry { char name[3]; unsigned char score; };

static int by_score(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->score != y->score)
        return y->score - x->score;
    return strcmp(x->name, y->name);
}

int ranked(const unsigned char scores[3])
{
    struct entry table[3] = {{"bo", scores[0]}, {"al", scores[1]}, {"cy", scores[2]}};
    qsort(table, 3, sizeof *table, by_score);
    if (strcmp(table[0].name, "cy") == 0)
        return 1;
    if (table[0].score == table[2].score)
        return strcmp(table[0].name, "al") == 0 ? 2 : 3; /* 3 never: ties go by name */
    if (table[1].name[0] == 'b' && table[1].score == 100)
        return 4;
    return 0;
}
