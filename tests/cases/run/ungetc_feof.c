// Pushing back a character, and the difference between the end and an error.
// covet: run % --stdin 3
#include <stdio.h>

int main(void)
{
    int c = getc(stdin);
    if (c == EOF)
        return feof(stdin) ? 1 : 2; /* 2 never: nothing fails */
    if (c == '#') {
        ungetc('!', stdin);
        if (fgetc(stdin) != '!')
            return 3; /* never */
        return fgetc(stdin) == '#' ? 4 : 5;
    }
    return ferror(stdin) ? 6 : 0; /* 6 never */
}
