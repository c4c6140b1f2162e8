// A symbolic file: its size, its bytes, byte order.
// covet: run % --file input.bin:12
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct header {
    char magic[4];
    uint16_t version, count;
};
int main(void)
{
    struct header h;
    long size;
    int c, i, sum = 0;
    FILE *f = fopen("input.bin", "rb");
    if (!f)
        return 1;
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    if (size < (long)sizeof h)
        return 2;
    if (fread(&h, sizeof h, 1, f) != 1)
        return 3;
    if (memcmp(h.magic, "COVT", 4) != 0)
        return 4;
    if (ntohs(h.version) > 2)
        return 5;
    for (i = 0; i < ntohs(h.count); i++) {
        if ((c = fgetc(f)) == EOF)
            return feof(f) ? 6 : 7;
        sum += c;
    }
    fclose(f);
    return sum == 77 ? 8 : 0;
}
