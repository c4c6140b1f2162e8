// The paper's own way of solving: partial path constraints, grown only when needed.
// covet: cover % --function is_sorted --strategy dfs --solve ippc
int is_sorted(int a, int b, int c)
{
    if (a <= b) {
        if (a <= c) {
            if (b <= c)
                return 1;
        }
    }
    return 0;
}
