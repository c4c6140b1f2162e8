// What a function asserts is what its callers are to keep: neither the failed assertion nor the pointer behind it is their mistake yet.
// covet: hunt % --filter off --no-official --function asserted
// covet: hunt % --filter off --no-official --function later -- -DNDEBUG
#include <assert.h>

struct item { int value; };

int asserted(struct item *item)
{
    assert(item != 0);
    return item->value;
}

int later(struct item *item)
{
    assert(item);
    return item->value;
}
