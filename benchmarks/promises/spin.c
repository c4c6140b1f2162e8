// A loop without end and without input.
// promise: time
// covet: run % --time 4
int main(void)
{
    volatile int x = 0;
    for (;;)
        x++;
}
