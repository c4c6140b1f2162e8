// Changing the folder and making files there does not reach the next run.
// covet: run % --stdin 1
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    FILE *left = fopen("left-behind", "r");
    if (left)
        return 9; /* never */
    if (getchar() == 'm') {
        if (mkdir("sub", 0700) != 0)
            return 8; /* never */
        if (chdir("sub") != 0)
            return 7; /* never */
        FILE *file = fopen("../left-behind", "w");
        if (!file)
            return 6; /* never */
        fputs("x", file);
        fclose(file);
        return 1;
    }
    return 0;
}
