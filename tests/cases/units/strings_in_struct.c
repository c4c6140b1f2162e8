// A struct of strings.
// covet: cover % --function greet
#include <string.h>
struct person { const char *first, *last; };
int greet(const struct person *person)
{
    if (!person->first)
        return 0;
    if (strcmp(person->first, "Ada") == 0)
        return person->last && strncmp(person->last, "Love", 4) == 0 ? 2 : 1;
    return 3;
}
