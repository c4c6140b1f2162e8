// Three pointers of one type: every pattern of sharing that the code tells apart.
// covet: cover % --function pattern
struct box { int weight; };
int pattern(struct box *a, struct box *b, struct box *c)
{
    if (!a || !b || !c)
        return 0;
    if (a == b && b == c)
        return 1;
    if (a == b)
        return 2;
    if (b == c)
        return 3;
    if (a == c)
        return a->weight == 9 ? 5 : 4;
    return 6;
}
