// A program without any input has one path.
// covet: run %
#include <stdio.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += i;
    printf("%d\n", sum);
    return sum == 45 ? 0 : 1;
}
