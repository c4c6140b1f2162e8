// An array that inputs end at 65,536 elements, not the program: what lies beyond says nothing about the function.
// covet: hunt % --filter off --no-official --function kept_of
#include <string.h>

static unsigned char kept[1 << 20];

unsigned kept_of(const unsigned char *from, unsigned size)
{
    if (size < 100000 || size > sizeof kept)
        return 0;
    memcpy(kept, from, size);
    return kept[0];
}
