// As bounds_local.c, but the strange value stays inside; and pointers just past the end, before the middle and back are fine.
// covet: cover % --function pick
int pick(unsigned i) {
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned k = (i == 0xdeadbeefu) ? 7 : i % 8;
    int *end = a + 8, *middle = &a[4], sum = 0;
    for (int *p = a; p != end; p++) sum += *p;
    return a[k] + end[-1 - (int)k] + middle[(int)k - 4] + sum;
}
