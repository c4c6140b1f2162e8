// A numeral too large for its type is answered with the limit and ERANGE.
// covet: run %
#include <covet.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void)
{
    char s[22] = "922337203685477580";
    covet_symbolic(s + 18, 2, "last");
    s[20] = 0;
    errno = 0;
    if (strtol(s, NULL, 10) == LONG_MAX)
        return errno == ERANGE ? 1 : 2;
    return 0;
}
