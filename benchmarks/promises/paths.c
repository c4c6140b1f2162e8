// More paths than anyone can take.
// promise: time
// covet: cover % --function f --time 4 --until exhausted
// check: branches 4
int f(const unsigned char *text)
{
    int n = 0;
    for (int i = 0; i < 48; i++)
        n += text[i] > 100 ? i : 1;
    if (n == 17) n++;
    return n;
}
