// Numbers from a file with fscanf until it ends.
// covet: run % --file numbers.txt:3 --iterations 600
#include <stdio.h>
int main(void)
{
    FILE *file = fopen("numbers.txt", "r");
    int x, sum = 0, count = 0;
    if (!file)
        return 9;
    while (fscanf(file, "%d", &x) == 1) {
        sum += x;
        count++;
    }
    fclose(file);
    if (count == 2 && sum == 11)
        return 1;
    return count == 0 ? 2 : 0;
}
