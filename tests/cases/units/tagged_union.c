// A union and the tag that says which member is meant.
// covet: cover % --function render
#include <string.h>
struct value { enum { NUMBER, TEXT, REAL } tag; union { int number; const char *text; float real; } as; };
int render(const struct value *value)
{
    if (!value)
        return -1;
    switch (value->tag) {
    case NUMBER:
        return value->as.number == 4711 ? 1 : 2;
    case TEXT:
        return value->as.text && strcmp(value->as.text, "hi") == 0 ? 3 : 4;
    case REAL:
        return 5;
    default:
        return 6;
    }
}
