// A call that passes NULL, or what may be NULL without asking, is a reason; one that asks first is none.
// covet: hunt % --filter off --no-official --function given_null --function given_found --function given_checked --function given_memory
#include <stdlib.h>

struct entry { int key, value; };
static struct entry table[4];

struct entry *find(int key)
{
    for (int i = 0; i < 4; i++)
        if (table[i].key == key)
            return &table[i];
    return NULL;
}

int given_null(struct entry *entry) { return entry->value; }
int given_found(struct entry *entry) { return entry->value; }
int given_checked(struct entry *entry) { return entry->value; }
void given_memory(struct entry *entry) { entry->value = 1; }

int caller(int key)
{
    int sum = given_null(NULL) + given_found(find(key));
    struct entry *entry = find(key);
    if (entry)
        sum += given_checked(entry);
    struct entry *fresh = malloc(sizeof *fresh);
    given_memory(fresh);
    return sum;
}
