// A binary heap: inserted, then taken out in order.
// covet: cover % --function heap --iterations 500
static int items[8], count;
static void push(int x)
{
    int at = count++;
    while (at > 0 && items[(at - 1) / 2] > x) {
        items[at] = items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    items[at] = x;
}
static int pop(void)
{
    int top = items[0], last = items[--count], at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && items[child + 1] < items[child])
            child++;
        if (items[child] >= last)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return top;
}
int heap(const int in[4])
{
    for (int i = 0; i < 4; i++)
        push(in[i]);
    int a = pop(), b = pop(), c = pop();
    if (a > b || b > c)
        return -1; /* never */
    if (b == in[3] && c == in[0])
        return 1;
    return a == 77 ? 2 : 0;
}
