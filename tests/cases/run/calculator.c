// A whole calculator: tokens, precedence, recursion; division by zero is refused.
// covet: run % --stdin 5 --iterations 300
#include <ctype.h>
#include <stdio.h>
static int look, failed;

static void next(void) { look = getchar(); }

static int number(void)
{
    int value = 0;
    if (look == EOF || !isdigit(look)) {
        failed = 1;
        return 0;
    }
    while (look != EOF && isdigit(look)) {
        value = value * 10 + look - '0';
        next();
    }
    return value;
}

static int term(void)
{
    int value = number();
    while (look == '*' || look == '/') {
        int op = look;
        next();
        int right = number();
        if (op == '*')
            value *= right;
        else if (right == 0)
            failed = 1;
        else
            value /= right;
    }
    return value;
}

int main(void)
{
    next();
    int value = term();
    while (look == '+') {
        next();
        value += term();
    }
    if (failed || look != ';')
        return 1;
    return value == 42 ? 2 : 0;
}
