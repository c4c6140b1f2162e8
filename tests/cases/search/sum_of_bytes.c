// A checksum over many bytes, a few of which are fixed: many variables have to move together.
// covet: run % --stdin 600 --iterations 60
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char data[600];
    size_t n = fread(data, 1, sizeof data, stdin);
    if (n < 512)
        return 1;
    if (memcmp(data + 257, "ustar", 5) != 0)
        return 2;
    unsigned sum = 0;
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)data[i];
    return sum == 1000 ? 3 : 0;
}
