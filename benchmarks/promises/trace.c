// Ten million decisions in one run.
// promise: memory
// covet: cover % --function f --time 10 --memory 1500
// check: peak 1500
int f(const unsigned char *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 10000000; i++)
        if (p[i % 8] > i % 251)
            n++;
    return n == 12345;
}
