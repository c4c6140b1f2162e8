// Long, but it ends: no hang.
// promise: endless
// covet: cover % --function f --time 12
// check: no alarm timeout
int f(unsigned char x)
{
    volatile unsigned long n = 0;
    if (x == 7)
        for (unsigned long i = 0; i < 300000000; i++)
            n += i;
    return (int)n;
}
