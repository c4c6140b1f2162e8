// Found from a first input that crashes at once: past the crash there is more.
// covet: cover % --function share
int share(int all, int n) {
    int each = all / n;
    if (each == 7) return 1;
    return 100 / (each - 12345);
}
