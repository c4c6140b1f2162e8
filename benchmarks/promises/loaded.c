// The same while the machine has other things to do.
// promise: time
// beside: 6
// covet: cover % --function f --time 5 --until exhausted
// check: branches 4
int f(const unsigned char *text)
{
    int n = 0;
    for (int i = 0; i < 48; i++)
        n += text[i] > 100 ? i : 1;
    if (n == 17) n++;
    return n;
}
