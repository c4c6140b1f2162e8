/* Reads records: a tag, a length, and as many bytes. */
#ifndef PARSER_H
#define PARSER_H
#include <stddef.h>
typedef struct parser parser_t;
parser_t *parser_create(int strict);
void parser_destroy(parser_t *parser);
/* How many bytes were taken; -1 when they are wrong. */
int parser_feed(parser_t *parser, const unsigned char *data, size_t length);
#endif
