// Frames come and go, by return and by jump: what they leave behind is nobody's red zone any more.
// covet: cover % --function total
#include <setjmp.h>
static jmp_buf back;
static int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
static int deep(int n) {
    int a[7] = {n}, b[3] = {n};
    if (n == 0) longjmp(back, 1);
    return deep(n - 1) + sum(a, 7) + sum(b, 3);
}
static int wide(void) {
    char text[300];
    for (int i = 0; i < 300; i++) text[i] = (char)i;
    int s = 0;
    for (int i = 0; i < 300; i++) s += text[i];
    return s;
}
int total(int key) {
    int a[5] = {1, 2, 3, 4, 5};
    if (!setjmp(back)) deep(key == 1234567 ? 9 : 3);
    return wide() + sum(a, 5);
}
