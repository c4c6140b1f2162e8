// A caller says more than its array has: the number is no length.
// covet: hunt % --filter off --no-official --function fill --function clear
void fill(int *cells, int n)
{
    cells[n] = 1;
}

void clear(int *cells, int n)
{
    cells[n] = 0;
}

int caller(void)
{
    int few[4], many[16];
    fill(few, 12);
    clear(many, 12);
    return few[0] + many[0];
}
