// A fault in a callee called from several places: one alarm, at the faulting line.
// covet: cover % --function top
static int deref(const int *p) { return *p; }
int top(int a)
{
    int x = 5;
    if (a == 10)
        return deref(0);
    if (a == 20)
        return deref((int *)0);
    return deref(&x);
}
