// The length in the data is believed: what a caller feeds in is read beyond its end. Only a record with the right tag gets there.
// covet: hunt %
#include "parser.h"
#include <stdlib.h>

struct parser {
    int strict;
    unsigned sum;
};

parser_t *parser_create(int strict)
{
    parser_t *parser = malloc(sizeof *parser);
    if (!parser)
        return NULL;
    parser->strict = strict;
    parser->sum = 0;
    return parser;
}

void parser_destroy(parser_t *parser)
{
    free(parser);
}

static void add(parser_t *parser, const unsigned char *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        parser->sum += bytes[i];
}

int parser_feed(parser_t *parser, const unsigned char *data, size_t length)
{
    if (length < 2 || data[0] != 0x2a)
        return -1;
    if (parser->strict && data[1] > 100)
        return -1;
    add(parser, data + 2, data[1]);
    return 2 + data[1];
}
