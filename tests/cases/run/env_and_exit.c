// perror, stderr, environment: side effects that do not disturb.
// covet: run % --stdin 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *home = getenv("NO_SUCH_VARIABLE");
    if (home)
        return 9; /* never */
    char buffer[3] = {0};
    if (!fgets(buffer, 3, stdin))
        return 1;
    fprintf(stderr, "read %zu\n", strlen(buffer));
    if (buffer[0] == 'E')
        exit(EXIT_FAILURE);
    if (buffer[0] == '\n')
        return 3;
    return 0;
}
