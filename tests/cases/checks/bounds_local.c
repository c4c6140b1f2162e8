// An index that leaves a local array for one value in four thousand million only.
// covet: cover % --function pick
int pick(unsigned i) {
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned k = (i == 0xdeadbeefu) ? 8 : i % 8;
    return a[k];
}
