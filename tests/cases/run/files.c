// A symbolic file read through fopen, fseek and fgetc.
// covet: run % --file config.bin:6
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("config.bin", "rb");
    if (!file)
        return 9;
    int version = fgetc(file);
    if (version != 2 && version != 3)
        return 1;
    fseek(file, 4, SEEK_SET);
    int low = fgetc(file), high = fgetc(file);
    if (low == EOF || high == EOF)
        return 2;
    if ((high << 8 | low) == 0x1f90)
        return version == 3 ? 3 : 4;
    fclose(file);
    return 0;
}
