// Parameters behind layers of typedefs and qualifiers.
// covet: cover % --function layered
#include <stdint.h>
typedef uint16_t port;
typedef const port *ports;
typedef struct { port from, to; } range;
typedef range pair_of_ranges[2];
typedef enum { TCP = 6, UDP = 17 } protocol;
int layered(const pair_of_ranges r, register volatile protocol p, ports list)
{
    if (r[0].to < r[0].from)
        return -1;
    if (r[1].from == 443 && p == TCP)
        return 1;
    if (list && *list == 53 && p == UDP)
        return 2;
    return 0;
}
