// What a bool is that holds neither 0 nor 1 is up to the compiler: tests expect nothing of it.
// covet: cover % --function is_set
#include <stdbool.h>

union value {
    unsigned char number;
    bool flag;
};

int is_set(union value value)
{
    if (value.number > 7)
        return 9;
    return value.flag;
}
