// Fork mode gives the same answers as reset mode.
// covet: cover % --function step --mode fork --globals initial
static int calls;

int step(int x, int y)
{
    calls++;
    if (calls != 1)
        return -1; /* never: each run is a process of its own */
    if (x * 2 - y == 100 && y > 7)
        return 1;
    return 0;
}
