// getline: lines of any length, on the program's heap.
// covet: run % --stdin 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int lines = 0, empty = 0;
    while ((n = getline(&line, &room, stdin)) > 0) {
        lines++;
        if (n == 1 && line[0] == '\n')
            empty++;
    }
    free(line);
    if (lines == 2 && empty == 1)
        return 1;
    return lines > 3 ? 2 : 0;
}
