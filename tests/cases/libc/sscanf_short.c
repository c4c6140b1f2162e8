// sscanf takes symbolic text apart.
// covet: cover % --function scan --iterations 400
#include <stdio.h>
#include <string.h>

int scan(const char in[4])
{
    char text[5] = {0}, word[4];
    int digit, count = -1;
    memcpy(text, in, 4);
    if (sscanf(text, "<%1d>%n", &digit, &count) == 1) {
        if (digit == 8 && count == 3)
            return 1;
        return 2;
    }
    if (sscanf(text, "%2[a-c]!", word) == 1 && strlen(word) == 2)
        return 3;
    return 0;
}
