// A file that an argument names is input, and items between separators become long: both copies are shown from `main`.
// covet: hunt % --no-official
#include <stdio.h>
#include <string.h>

static int parse(const char *line)
{
    char key[20] = "", value[20];
    const char *separator = strchr(line, '=');
    if (!separator)
        return -1;
    memcpy(key, line, separator - line);
    strcpy(value, separator + 1);
    return key[0] + value[0];
}

int main(int argc, char **argv)
{
    char line[60];
    int sum = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    while (file && fgets(line, sizeof line, file))
        sum += parse(line);
    return sum;
}
