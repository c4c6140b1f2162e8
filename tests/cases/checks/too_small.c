// Library functions with a target that is too small, and a text without an end.
// covet: cover % --function copy
#include <string.h>
int copy(int how) {
    char target[8], source[12];
    memset(source, 'x', 12);
    switch (how) {
    case 1: strcpy(target, "12345678"); break;
    case 2: memcpy(target, source, 9); break;
    case 3: memset(target, 0, 9); break;
    case 4: return (int)strlen(source);
    case 5: strcat(strcpy(target, "1234"), "5678"); break;
    default: strcpy(target, "1234567");
    }
    return target[0];
}
