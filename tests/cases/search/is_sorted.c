// The example of the IPPC paper: depth first it takes four runs and three questions, of three, two and one conditions.
// covet: cover % --function is_sorted --strategy dfs
// covet: show sites %
// covet: show trace % --set arg.a=3
// covet: show path %
// covet: show query % --flip 2
// covet: show input % --set arg.b=-5
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
