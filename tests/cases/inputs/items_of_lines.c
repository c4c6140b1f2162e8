// What a file of the system holds is input, and its items become long: a number of 34 digits takes 34 flips that bring nothing.
// covet: hunt % --function read_list --no-official
#include <stdio.h>

struct entry {
    int index;
    unsigned char address[16];
};

static int digits(const char *text, unsigned char *bytes)
{
    int length = 0;
    unsigned byte;
    for (; *text; text += 2) {
        if (text[1] == 0 || sscanf(text, "%02x", &byte) != 1)
            return -1;
        bytes[length++] = (unsigned char)byte;
    }
    return length;
}

int read_list(void)
{
    char line[256], text[256];
    int known = 0;
    FILE *file = fopen("/proc/net/entries", "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        struct entry entry = {0};
        if (sscanf(line, "%d %s", &entry.index, text) == 2 && digits(text, entry.address) > 0)
            known += entry.index;
    }
    fclose(file);
    return known;
}
