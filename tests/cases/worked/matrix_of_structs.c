// A board of cells in rows and columns. The seeded bug checks the column against the number of rows.
// covet: cover % --function neighbours
// covet: cover % --function neighbours -- -DBUG
#define ROWS 5
#define COLUMNS 3

struct cell {
    unsigned char alive;
    short weight;
};

struct board {
    struct cell cells[ROWS][COLUMNS];
    int generation;
};

static int is_inside(int row, int column)
{
#ifdef BUG
    return row >= 0 && row < ROWS && column >= 0 && column < ROWS;
#else
    return row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
#endif
}

int neighbours(const struct board *board, int row, int column)
{
    int sum = 0;
    if (!board || !is_inside(row, column))
        return -1;
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++)
            if (is_inside(r, c) && board->cells[r][c].alive)
                sum += board->cells[r][c].weight;
    if (sum == 1234 && board->generation == 7)
        return 1;
    return 0;
}
