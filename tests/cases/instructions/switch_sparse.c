// Sparse, negative and far apart labels, on a computed value.
// covet: cover % --function sparse
// covet: show sites %
// covet: show path %
// covet: show query %
int sparse(int x)
{
    switch (x * 7 + 1) {
    case -2147483647 - 1: return 1;
    case -1000003: return 2;
    case -6: return 3;
    case 8: return 4;
    case 701: return 5;
    case 70000001: return 6;
    case 2147483647: return 7;
    }
    return 0;
}
