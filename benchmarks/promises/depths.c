// Recursion as deep as the input says.
// promise: time
// covet: cover % --time 5
static int depth(unsigned n)
{
    volatile char room[512];
    room[n % 512] = (char)n;
    return n == 0 ? room[0] : 1 + depth(n - 1);
}
int f(unsigned n)
{
    return depth(n);
}
