// A tagged union by value: every member can be chosen.
// covet: cover % --function value
struct value {
    enum { INTEGER, REAL, TEXT } kind;
    union { long integer; double real; char text[8]; } of;
};

int value(struct value v)
{
    switch (v.kind) {
    case INTEGER:
        if (v.of.integer == 1l << 50)
            return 1;
        return 2;
    case REAL:
        if (v.of.real == 0.75)
            return 3;
        return 4;
    case TEXT:
        if (v.of.text[0] == 'o' && v.of.text[1] == 'k' && v.of.text[2] == 0)
            return 5;
        return 6;
    }
    return 7;
}
