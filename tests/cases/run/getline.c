// Lines of any length through getline.
// covet: run % --stdin 4 --iterations 200
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *line = 0;
    size_t size = 0;
    long n;
    int count = 0;
    while ((n = getline(&line, &size, stdin)) > 0) {
        count++;
        if (n == 3 && line[0] == 'o' && line[1] == 'k')
            return count == 1 ? 1 : 2;
    }
    free(line);
    return count == 4 ? 3 : 0;
}
