// Arrays of arrays, by pointer to a row and by pointer to pointers.
// covet: cover % --function corner
int corner(int (*grid)[3], int **rows)
{
    if ((*grid)[2] == 5 && (*grid)[0] == -5)
        return 1;
    if (rows && rows[0] && rows[0][3] == 8)
        return 2;
    return 0;
}
