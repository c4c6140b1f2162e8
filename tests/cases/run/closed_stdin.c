// Closing, reopening and redirecting descriptors does not leak into the next run.
// covet: run % --stdin 2
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 1;
    if (c == 'c') {
        fclose(stdin);
        return 2;
    }
    if (c == 'd') {
        close(0);
        return read(0, &c, 1) < 0 ? 3 : 4; /* 4 never */
    }
    int copy = dup(1);
    close(1);
    dup2(copy, 1);
    puts("here");
    return getchar() == c ? 5 : 0;
}
