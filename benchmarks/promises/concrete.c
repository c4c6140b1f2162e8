// What is made concrete on the way leaves the exploration incomplete.
// promise: endless
// covet: cover % --function f --time 6 --until exhausted
// check: stopped incomplete,time,covered; not stopped exhausted
#include <stdlib.h>
int f(unsigned char n, unsigned char x)
{
    char *p = malloc(n % 16 + 1u);
    if (!p)
        return 0;
    p[0] = (char)x;
    int r = p[0] == 'q' ? 1 : 0;
    free(p);
    return r;
}
