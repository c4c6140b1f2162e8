// As `opened`, with room for what is read.
// covet: hunt % --function level --function addresses
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int level(const char *name)
{
    char head[4];
    int file = open(name, O_RDONLY), size;
    if (file < 0)
        return -1;
    size = (int)read(file, head, sizeof head);
    close(file);
    if (size != sizeof head || memcmp(head, "LV", 2) != 0)
        return 0;
    return head[2] == 1 ? 1 : 2;
}

int addresses(void)
{
    char line[80], kind[8], address[64];
    int count = 0;
    FILE *file = fopen("/proc/net/covet_addresses", "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%7s %63s", kind, address) == 2)
            count++;
    fclose(file);
    return count;
}
