// A program that reads characters: a tiny protocol "GET n" / "PUT".
// covet: run % --stdin 6
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == 'G') {
        if (getchar() != 'E' || getchar() != 'T' || getchar() != ' ')
            return 2;
        int digit = getchar();
        if (digit < '0' || digit > '9')
            return 3;
        if (digit == '7')
            return 4;
        return 0;
    }
    if (c == 'P') {
        if (getchar() == 'U' && getchar() == 'T')
            return 5;
        return 6;
    }
    return 1;
}
