// Reads and writes at a symbolic index of an array on the stack.
// covet: cover % --function touch
int touch(unsigned i, unsigned j, int value)
{
    int cells[6] = {11, 22, 33, 44, 55, 66};
    if (i >= 6 || j >= 6)
        return -1;
    if (cells[i] + cells[j] == 99 && i > j)
        return 1;
    cells[i] = value;
    if (cells[j] == 1000)
        return 2; /* only if i and j meet */
    if (cells[0] + cells[5] == 80 && value != 14 && value != 69)
        return 3; /* never */
    return 0;
}
