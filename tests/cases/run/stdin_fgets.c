// Lines read with fgets: split at the newline, compared, counted.
// covet: run % --stdin 5 --iterations 150
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) {
        lines++;
        if (strcmp(line, "q\n") == 0) {
            if (lines == 2)
                return 3;
            return 2;
        }
    }
    return lines > 2 ? 4 : 1;
}
