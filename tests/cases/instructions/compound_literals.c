// Compound literals, designated initialisers and assignment of whole structs.
// covet: cover % --function build
struct shape { int sides; struct { int w, h; } size; const char *label; };

static int area(const struct shape *s) { return s->sides == 4 ? s->size.w * s->size.h : 0; }

int build(int w, int h, int index)
{
    struct shape s = {.size = {.h = h, .w = w}, .sides = 4, .label = "box"};
    if (area(&s) == 143 && w > 1 && h > 1 && w < 50 && h < 50)
        return w < h ? 1 : 2;
    s = (struct shape){.sides = w};
    if (s.sides == -4 && s.size.h == 0) /* what is not named is zero */
        return 3;
    if (index >= 0 && index < 5 && (int[]){2, 3, 5, [4] = 11}[index] == 11)
        return 4;
    return s.label ? 5 : 6; /* 5 never: the literal left it null */
}
