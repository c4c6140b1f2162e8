// strtok and strsep cut a line into words.
// covet: run % --stdin 9
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[16], *rest = line, *word, *value;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    word = strtok(line, " \n");
    if (!word)
        return 2;
    value = strtok(NULL, " \n");
    if (value && strcmp(word, "set") == 0 && strcmp(value, "on") == 0)
        return 3;
    rest = word;
    strsep(&rest, "/");
    if (rest && rest[0] == 'x')
        return 4;
    return 0;
}
