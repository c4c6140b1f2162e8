// Globals pointing to globals, changed at run time.
// covet: cover % --function relink
static int first = 1, second = 2;
static int *current = &first;
static int **through = &current;
int relink(int x)
{
    if (x > 100)
        *through = &second;
    *current += x;
    if (second == 150)
        return 1;
    if (first == 0)
        return 2;
    return 0;
}
