// A matrix of structures: the row is right, the column is not.
// covet: cover % --function at
struct cell { int left, right; };
struct cell grid[4][5];
int at(unsigned row, unsigned column) {
    if (row >= 4 || column >= 6) return -1;
    if (row == 3 && column == 5) return -2;
    return grid[row][column].right;
}
