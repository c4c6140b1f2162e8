// find gives NULL for a key that is not there, without any allocation failing, and table_value does not look. table_new gives NULL only
// when memory is out, so what table_add does with that is no mistake of the library.
// covet: hunt %
#include "lookup.h"
#include <stdlib.h>

struct entry {
    int key, value;
    struct entry *next;
};

struct table {
    struct entry *first;
};

struct table *table_new(void)
{
    return calloc(1, sizeof(struct table));
}

void table_free(struct table *table)
{
    while (table->first) {
        struct entry *next = table->first->next;
        free(table->first);
        table->first = next;
    }
    free(table);
}

static const struct entry *find(const struct table *table, int key)
{
    const struct entry *entry = table->first;
    while (entry && entry->key != key)
        entry = entry->next;
    return entry;
}

int table_add(struct table *table, int key, int value)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        return -1;
    entry->key = key;
    entry->value = value;
    entry->next = table->first;
    table->first = entry;
    return 0;
}

int table_value(const struct table *table, int key)
{
    return find(table, key)->value;
}

int table_has(const struct table *table, int key)
{
    return find(table, key) != NULL;
}
