// Aggregates by value: in one register, in two, in a float register, in memory; and returned.
// covet: cover % --function values
struct small { short x, y; };
struct pair { long a; int b; };
struct mixed { double d; int i; };
struct point { float x, y; };
struct large { int items[9]; char tag; };

static struct small swap(struct small s) { return (struct small){s.y, s.x}; }
static struct pair shift(struct pair p) { p.a += p.b; return p; }
static struct mixed scale(struct mixed m) { m.d = m.i - m.d; return m; }
static struct point turn(struct point p) { return (struct point){-p.y, p.x}; }
static struct large rotate(struct large l)
{
    int first = l.items[0];
    for (int i = 0; i < 8; i++)
        l.items[i] = l.items[i + 1];
    l.items[8] = first;
    return l;
}

int values(struct small s, struct pair p, struct mixed m, struct point q, struct large l)
{
    if (swap(s).x == 300 && s.x == -1)
        return 1;
    if (shift(p).a == 77 && p.b == -3)
        return 2;
    if (scale(m).d == 7.5)
        return 3;
    if (turn(q).x == 2.0f)
        return 4;
    if (rotate(rotate(l)).items[8] == 0x55 && l.tag == 'r')
        return 5;
    return 0;
}
