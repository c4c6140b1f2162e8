// A hash table with chains in an array of pointers.
// covet: cover % --function find
#include <stddef.h>
#define BUCKETS 3
struct entry { unsigned key; int value; struct entry *next; };
struct table { unsigned count; struct entry *buckets[BUCKETS]; };
int find(const struct table *table, unsigned key)
{
    if (!table)
        return -1;
    for (const struct entry *entry = table->buckets[key % BUCKETS]; entry; entry = entry->next)
        if (entry->key == key) {
            if (entry->value == 42 && key == 17 && entry != table->buckets[2])
                return 2;
            return 1;
        }
    return 0;
}
