// getchar, ungetc and the end of standard input.
// covet: run % --stdin 4
// covet: show path % --stdin 4 --set stdin[0]=91
#include <stdio.h>
int main(void)
{
    int c, depth = 0, most = 0;
    while ((c = getchar()) != EOF) {
        if (c == '[')
            depth++;
        else if (c == ']' && --depth < 0)
            return 1;
        else if (c == '\\') {
            if ((c = getchar()) == EOF)
                return 2;
            if (c != 'n')
                ungetc(c, stdin);
        }
        if (depth > most)
            most = depth;
    }
    if (depth)
        return 3;
    return most == 2 ? 4 : 0;
}
