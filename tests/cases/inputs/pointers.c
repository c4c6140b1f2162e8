// A pointer is NULL or an object of its own.
// covet: cover % --function deref
struct pair { int a; int b; };

int deref(const int *p, struct pair *q)
{
    if (!p)
        return 1;
    if (*p == 12)
        return 2;
    if (q == 0)
        return 3;
    q->a += *p;
    if (q->a == 40 && q->b == 2)
        return 4;
    return 0;
}
