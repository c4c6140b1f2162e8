// The callee does not know how long the caller's array is.
// covet: cover % --function total
static int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
int total(int key) {
    int a[5] = {1, 2, 3, 4, 5};
    return key == 1234567 ? sum(a, 6) : sum(a, 5);
}
