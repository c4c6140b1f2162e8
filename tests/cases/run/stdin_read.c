// The system call read, in small pieces.
// covet: run % --stdin 6
#include <unistd.h>

int main(void)
{
    char buffer[6];
    int used = 0, n;
    while (used < 6 && (n = read(0, buffer + used, 2)) > 0)
        used += n;
    if (used < 6)
        return 1;
    if (buffer[1] == buffer[4] && buffer[1] == '=')
        return 2;
    if (buffer[0] + buffer[5] == 200)
        return 3;
    return 0;
}
