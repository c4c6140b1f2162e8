// A hash table with chaining over symbolic keys.
// covet: cover % --function table
#include <string.h>
struct slot { int key, value, next; };
static struct slot slots[8];
static int heads[4] = {-1, -1, -1, -1}, used;
static void insert(int key, int value)
{
    unsigned h = (unsigned)key * 2654435761u >> 30;
    slots[used] = (struct slot){key, value, heads[h]};
    heads[h] = used++;
}
static int get(int key)
{
    for (int i = heads[(unsigned)key * 2654435761u >> 30]; i >= 0; i = slots[i].next)
        if (slots[i].key == key)
            return slots[i].value;
    return -1;
}
int table(int a, int b)
{
    insert(a, 10);
    insert(b, 20);
    insert(77, 30);
    if (get(5) == 10)
        return 1;
    if (get(6) == 20)
        return 2;
    if (a == 77 && get(b) == 20)
        return 3;
    return 0;
}
