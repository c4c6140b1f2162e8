// sscanf takes symbolic text apart.
// covet: cover % --function scan --iterations 1500
#include <stdio.h>
#include <string.h>

int scan(const char in[6])
{
    char text[7] = {0}, word[8];
    int hour, minute;
    memcpy(text, in, 6);
    if (sscanf(text, "%d:%d", &hour, &minute) == 2) {
        if (hour == 23 && minute == 59)
            return 1;
        return 2;
    }
    if (sscanf(text, "<%3[a-c]>", word) == 1 && strlen(word) == 3)
        return 3;
    unsigned code;
    if (sscanf(text, "#%x", &code) == 1 && code == 0xbad)
        return 4;
    return 0;
}
