// Numbers in text: the value is an expression over its digits.
// covet: run % --stdin 7
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[16], *end;
    long value;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (atoi(line) == 31415)
        return 2;
    value = strtol(line, &end, 0);
    if (end == line)
        return 3;
    if (value == 0xbee && *end == '!')
        return 4;
    if (value == -255)
        return 5;
    return 0;
}
