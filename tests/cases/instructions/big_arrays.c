// Aggregates copied whole: arrays in structs, initialised from constants, then changed in one place.
// covet: cover % --function board
struct board { char cells[3][3]; };
static char winner(struct board b)
{
    for (int i = 0; i < 3; i++)
        if (b.cells[i][0] != '.' && b.cells[i][0] == b.cells[i][1] && b.cells[i][1] == b.cells[i][2])
            return b.cells[i][0];
    if (b.cells[1][1] != '.' && b.cells[0][0] == b.cells[1][1] && b.cells[1][1] == b.cells[2][2])
        return b.cells[1][1];
    return 0;
}
int board(unsigned row, unsigned column, char piece)
{
    struct board b = {{"x.x", ".oo", "..x"}};
    if (row > 2 || column > 2 || b.cells[row][column] != '.')
        return -1;
    b.cells[row][column] = piece;
    if (winner(b) == 'x')
        return 1;
    if (winner(b) == 'o')
        return 2;
    return 0;
}
