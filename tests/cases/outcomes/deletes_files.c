// A program that writes and deletes where it should not: in a scratch folder it may, elsewhere it may not.
// covet: run % --stdin 1
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (c == 'w') {
        FILE *file = fopen("/usr/covet-was-here", "w");
        if (file) {
            remove("/usr/covet-was-here");
            return 9; /* never */
        }
        return 1;
    }
    if (c == 'd') {
        FILE *file = fopen("note", "w");
        if (!file)
            return 9; /* never */
        fclose(file);
        if (remove("note") == 0)
            return 2;
    }
    return 0;
}
