// Enumerations: any value of the underlying type can come in.
// covet: cover % --function name
enum colour { RED, GREEN = 5, BLUE, LAST = -3 };

int name(enum colour a, enum colour b)
{
    switch (a) {
    case RED: return b == BLUE ? 1 : 2;
    case GREEN: return a + b == LAST ? 3 : 4;
    case BLUE: return 5;
    case LAST: return b > a ? 6 : 7;
    }
    return 8; /* none of the names */
}
