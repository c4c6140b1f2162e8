// scanf: conversions, widths, sets, and what is left when one does not match.
// covet: run % --stdin 10
#include <stdio.h>
#include <string.h>
int main(void)
{
    int a, b;
    char op;
    switch (scanf("%3d%c%3d", &a, &op, &b)) {
    case 3:
        if (op == '+' && a + b == 100)
            return 1;
        if (op == '*' && a * b == 391 && a > 1 && b > a)
            return 2;
        return 3;
    case 2:
        return op == ';' ? 4 : 5;
    case 1:
        return 6;
    case EOF:
        return 7;
    }
    return getchar() == '#' ? 8 : 0;
}
