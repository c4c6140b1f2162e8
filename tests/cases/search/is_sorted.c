// The example of the IPPC paper: depth first it takes four runs and three questions, of three, two and one conditions.
// covet: cover % --function is_sorted --strategy dfs
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
