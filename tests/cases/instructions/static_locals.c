// State in static variables starts afresh in every run.
// covet: cover % --function steps --globals initial
static int calls;

static int next(int x)
{
    static int previous = 100;
    static int history[3];
    int gap = x - previous;
    history[calls % 3] = x;
    calls++;
    previous = x;
    return calls == 3 && history[0] == history[2] ? 1000 : gap;
}

int steps(int a, int b, int c)
{
    if (calls != 0)
        return -1; /* never */
    int first = next(a), second = next(b), third = next(c);
    if (first == 1 && second == 2)
        return 1;
    if (third == 1000)
        return b == 77 ? 2 : 3;
    return 0;
}
