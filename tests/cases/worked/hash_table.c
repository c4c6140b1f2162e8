// A hash table with open addressing, driven by a sequence of operations. The seeded bug wraps round one slot too late.
// covet: cover % --function exercise
// covet: cover % --function exercise -- -DBUG
#include <string.h>

#define SLOTS 8

struct table {
    unsigned keys[SLOTS];
    unsigned char used[SLOTS];
    unsigned count;
};

static unsigned next_slot(unsigned slot)
{
#ifdef BUG
    return slot == SLOTS ? 0 : slot + 1;
#else
    return slot + 1 == SLOTS ? 0 : slot + 1;
#endif
}

static int insert(struct table *table, unsigned key)
{
    unsigned slot = (key * 2654435761u) >> 29;
    if (table->count == SLOTS - 1)
        return -1;
    while (table->used[slot]) {
        if (table->keys[slot] == key)
            return 0;
        slot = next_slot(slot);
    }
    table->used[slot] = 1;
    table->keys[slot] = key;
    table->count++;
    return 1;
}

int exercise(unsigned a, unsigned b, unsigned c)
{
    struct table table;
    memset(&table, 0, sizeof table);
    if (insert(&table, a) != 1)
        return -1;
    if (insert(&table, b) == 0)
        return 1;
    if (insert(&table, c) == 0)
        return 2;
    return 3;
}
