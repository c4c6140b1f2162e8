// All paths taken, nothing cut: that may be said.
// promise: endless
// covet: cover % --function f --time 8 --until exhausted
// check: stopped exhausted,covered; branches 4
int f(int a, int b)
{
    if (a > b)
        return 1;
    return a == 12 ? 2 : 3;
}
