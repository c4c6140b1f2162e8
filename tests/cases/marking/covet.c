// covet.h: scalars of every kind, objects, assumptions, assertions.
// covet: run %
#include <covet.h>
enum colour { RED, GREEN };
struct node {
    enum colour colour;
    union {
        int number;
        unsigned char bytes[4];
    } value;
    struct {
        char name[3];
        bool set;
    } inner[2];
};
int main(void)
{
    struct node n;
    long long wide = covet_longlong("wide");
    unsigned short small = covet_u16("small");
    bool flag = covet_bool("flag");
    double d = covet_double("d");
    covet_symbolic(&n, sizeof n, "n");
    covet_assume(n.inner[0].set <= 1);
    if (wide == -5000000000)
        return 1;
    if (small == 65535 && flag)
        return 2;
    if (d == 0.5)
        return 3;
    if (n.colour == GREEN && n.value.number == 0x01020304)
        return 4;
    if (n.inner[1].name[2] == 'z')
        return 5;
    covet_assert(covet_range(0, 4, "r") != 3);
    return 0;
}
