// Numbers and a word through scanf.
// covet: run % --stdin 5 --iterations 300
#include <stdio.h>

int main(void)
{
    int a, b;
    char op;
    if (scanf("%d %c %d", &a, &op, &b) != 3)
        return 1;
    switch (op) {
    case '+': return a + b == 12 ? 10 : 11;
    case '-': return a - b == -8 ? 12 : 13;
    case '/': return b == 0 ? 14 : 15;
    default: return 2;
    }
}
