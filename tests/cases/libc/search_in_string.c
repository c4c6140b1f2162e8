// strchr, strrchr, strstr, strspn, strcspn, strpbrk, memchr on symbolic text.
// covet: cover % --function search
#include <string.h>

int search(const char in[5])
{
    char text[6] = {0};
    memcpy(text, in, 5);
    char *dot = strchr(text, '.');
    if (dot && strrchr(text, '.') == dot + 2)
        return 1;
    if (strstr(text, "ab") == text + 3)
        return 2;
    if (strspn(text, "xyz") == 4)
        return 3;
    if (strcspn(text, ";,") == 2)
        return 4;
    char *sign = strpbrk(text, "+-");
    if (sign && sign[1] == '7')
        return 5;
    return 0;
}
