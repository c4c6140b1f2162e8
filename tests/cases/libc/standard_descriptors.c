// Standard descriptors that one run closes or replaces are there again in the next.
// covet: cover % --until exhausted
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>
int fd(int a, int b)
{
    struct stat st;
    if (fstat(0, &st) != 0) return -1;
    if (a == 5) close(0);
    if (a == 6) dup2(1, 0);
    if (a == 7) fclose(stdout);
    if (a == 8) { close(1); close(2); }
    if (b > 10) return 1;
    if (fstat(1, &st) != 0) return -2;
    return fstat(0, &st) != 0 ? 2 : 3;
}
