// covet: cover % --function f1 --function f2 --function f3 --function f4 --function f5 --function f6 --function f7 --function f8 --iterations 60
// A dereference before the NULL check is a NULL dereference at its own line, whatever does it.
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
struct s { int a, b; char name[8]; int *q; };
int f1(const char *t)
{
    size_t n = strlen(t);
    if (!t)
        return -1;
    return n > 3;
}
int f2(const struct s *p)
{
    struct s copy = *p;
    if (!p)
        return -1;
    return copy.a > 3;
}
int f3(struct s *p)
{
    int first = p->name[0];
    if (p == NULL)
        return -1;
    return first == 3;
}
int f4(struct s *p, int n)
{
    char buf[8];
    memcpy(buf, p, sizeof buf);
    if (p == NULL)
        return -1;
    return buf[0] == n;
}
int f5(struct s *p)
{
    p->b = 7;
    if (p)
        return p->a;
    return 0;
}
int f6(struct s *p)
{
    int *q = p->q;
    *q += 1;
    if (!q || !p)
        return 0;
    return *q > 4;
}
int f7(char *d, const char *s)
{
    strcpy(d, s);
    if (d == NULL || s == NULL)
        return 0;
    return 1;
}
int f8(FILE *f)
{
    int c = fgetc(f);
    if (f == NULL)
        return -1;
    return c == 'x';
}
int f9(void)
{
    int *m = malloc(40);
    m[3] = 5;
    if (m == NULL)
        return 1;
    free(m);
    return 0;
}
