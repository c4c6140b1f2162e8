// strtok and strtok_r split symbolic text.
// covet: cover % --function split --iterations 250
#include <string.h>

int split(const char in[5])
{
    char text[6] = {0};
    memcpy(text, in, 5);
    int count = 0, longest = 0;
    for (char *word = strtok(text, " ,"); word; word = strtok(0, " ,")) {
        int n = strlen(word);
        count++;
        if (n > longest)
            longest = n;
    }
    if (count == 3)
        return 1;
    if (count == 2 && longest == 3)
        return 2;
    if (count == 0)
        return 3;
    return 0;
}
