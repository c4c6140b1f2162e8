// A matrix of structs inside a struct.
// covet: cover % --function value
struct cell { short kind; union { int number; const char *text; }; };
struct sheet { unsigned char rows, columns; struct cell cells[2][2]; };
int value(const struct sheet *sheet, unsigned row, unsigned column)
{
    if (!sheet || row >= 2 || column >= 2)
        return -1;
    if (row >= sheet->rows || column >= sheet->columns)
        return -2;
    const struct cell *cell = &sheet->cells[row][column];
    if (cell->kind == 3)
        return row + column == 2 ? 9 : 3;
    return 0;
}
