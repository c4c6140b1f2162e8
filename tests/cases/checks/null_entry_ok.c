// covet: cover % --function first
static const char *const names[] = {"none", "read", 0, "write"};
int first(unsigned k) {
    if (k >= 4 || !names[k]) return -1;
    return names[k][0];
}
