// Whole structs assigned, compared field by field, held in arrays and returned through pointers.
// covet: cover % --function copies
struct item { char tag; int n; struct { short a, b; } in; };
static struct item store[3];
static struct item *put(int at, struct item i) { store[at] = i; return &store[at]; }
int copies(struct item a, unsigned at)
{
    if (at > 2)
        return -1;
    struct item b = *put(at, a), c;
    c = store[1];
    b.in.a++;
    if (c.n == 99 && c.tag == 'c')
        return 1;
    if (b.in.a == -32768)
        return 2;
    if (b.in.b == a.in.a && a.in.a == 44)
        return 3;
    return 0;
}
