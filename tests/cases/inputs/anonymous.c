// Anonymous structs and unions inside each other.
// covet: cover % --function inside
struct event {
    int kind;
    union {
        struct { short x, y; };
        struct { unsigned char key; unsigned char shift : 1, alt : 1; };
        unsigned raw;
    };
};
int inside(struct event e)
{
    if (e.kind == 1 && e.x > 100 && e.y == -1)
        return 1;
    if (e.kind == 2 && e.key == 'q' && e.alt && !e.shift)
        return 2;
    if (e.raw == 0xdeadbeef)
        return 3;
    return 0;
}
