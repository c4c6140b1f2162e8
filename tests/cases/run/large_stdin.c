// Many bytes, few that matter.
// covet: run % --stdin 600
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
    if (data[156] != '0' && data[156] != '5')
        return 3;
    return data[511] == 'z' ? 4 : 0;
}
