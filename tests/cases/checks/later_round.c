// Out of bounds in a later round of the loop only: no single step is long enough.
// covet: cover % --function skip
int skip(const unsigned char steps[6]) {
    int seen[100] = {0}, at = 0;
    for (int k = 0; k < 6; k++) {
        if (steps[k] > 24) return -1;
        at += steps[k];
        seen[at]++;
    }
    return seen[0];
}
