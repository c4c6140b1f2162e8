// covet: cover % --function total
static int numbers[9], others[9];
static int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
int total(int key) { return key == 1234567 ? sum(numbers, 10) : sum(numbers, 9) + sum(others, 9); }
