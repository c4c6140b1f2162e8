// Addresses into arrays of structs of arrays, with symbolic indices at every level.
// covet: cover % --function look_up
struct cell {
    char tag;
    short values[3];
};
struct row {
    int id;
    struct cell cells[4];
};
static struct row table[3] = {
    {10, {{'a', {1, 2, 3}}, {'b', {4, 5, 6}}, {'c', {7, 8, 9}}, {'d', {10, 11, 12}}}},
    {20, {{'e', {13, 14, 15}}, {'f', {16, 17, 18}}, {'g', {19, 20, 21}}, {'h', {22, 23, 24}}}},
    {30, {{'i', {25, 26, 27}}, {'j', {28, 29, 30}}, {'k', {31, 32, 33}}, {'l', {34, 35, 36}}}},
};

int look_up(unsigned i, unsigned j, unsigned k)
{
    if (i >= 3 || j >= 4 || k >= 3)
        return -1;
    struct row *row = &table[i];
    if (row->cells[j].values[k] == 23)
        return 1;
    if (row->id == 30 && row->cells[j].tag == 'k')
        return 2;
    if (table[i].cells[j].values[2] == 9 && k == 1)
        return 3;
    return 0;
}
