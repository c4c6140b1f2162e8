// covet: run % --stdin 2
/* C as it was written before prototypes: parameters behind the name, `int` left out, functions used undeclared. */
struct point { int x, y; };

static limit = 3;

add(p, by)
    struct point *p;
{
    p->x += by;
    if (p->x > limit)
        return;
    p->y = twice(p->x);
}

twice(n)
{
    return n + n;
}

main()
{
    struct point p;
    int c = getchar();
    p.x = p.y = 0;
    if (c == 'a')
        add(&p, 2);
    else if (c == 'b')
        add(&p, 7);
    if (p.y == 4)
        puts("four");
    return 0;
}
