// A loop without end and without input is a hang; one that ends in a while is none.
// covet: cover % --function hangs --function takes_its_time --run-time 100
int hangs(unsigned x)
{
    if (x == 4711)
        for (;;)
            ;
    return 0;
}

int takes_its_time(unsigned char x)
{
    volatile unsigned long n = 0;
    if (x == 7)
        for (unsigned long i = 0; i < 60000000; i++)
            n += i;
    return (int)n;
}
