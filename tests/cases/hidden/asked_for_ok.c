// covet: cover % --function answer
#include <stdio.h>

int answer(void)
{
    int digits[3], n = 0, c;
    while (n < 3 && (c = getchar()) >= '0' && c <= '9')
        digits[n++] = c - '0';
    return n ? digits[0] : -1;
}
