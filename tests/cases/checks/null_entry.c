// A table of names with a gap.
// covet: cover % --function first
static const char *const names[] = {"none", "read", 0, "write"};
int first(unsigned k) {
    if (k >= 4) return -1;
    return names[k][0];
}
