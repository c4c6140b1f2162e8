// A reader of small JSON texts: numbers, booleans, arrays. The seeded bug keeps no count of how deep arrays nest.
// covet: cover % --function read_json --iterations 1000
// covet: cover % --function read_json --iterations 1000 -- -DBUG
#include <ctype.h>
#include <string.h>

#define DEPTH 2

struct reader {
    const char *at;
    char open[DEPTH];
    int depth;
};

static int value(struct reader *reader);

static void blanks(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\n')
        reader->at++;
}

static int word(struct reader *reader, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(reader->at, text, length) != 0)
        return -1;
    reader->at += length;
    return 1;
}

static int number(struct reader *reader)
{
    if (*reader->at == '-')
        reader->at++;
    if (!isdigit((unsigned char)*reader->at))
        return -1;
    while (isdigit((unsigned char)*reader->at))
        reader->at++;
    return 1;
}

static int array(struct reader *reader)
{
    int items = 0;
#ifndef BUG
    if (reader->depth == DEPTH)
        return -1;
#endif
    reader->open[reader->depth++] = '[';
    reader->at++;
    blanks(reader);
    if (*reader->at == ']') {
        reader->at++;
        reader->depth--;
        return 1;
    }
    for (;;) {
        int found = value(reader);
        if (found < 0)
            return -1;
        items += found;
        blanks(reader);
        if (*reader->at == ']')
            break;
        if (*reader->at != ',')
            return -1;
        reader->at++;
    }
    reader->at++;
    reader->depth--;
    return items + 1;
}

static int value(struct reader *reader)
{
    blanks(reader);
    switch (*reader->at) {
    case '[':
        return array(reader);
    case 't':
        return word(reader, "true");
    case 'f':
        return word(reader, "false");
    default:
        return number(reader);
    }
}

int read_json(const char text[8])
{
    char copy[9];
    memcpy(copy, text, 8);
    copy[8] = 0;
    struct reader reader = {copy, {0}, 0};
    int items = value(&reader);
    blanks(&reader);
    return *reader.at ? -1 : items;
}
