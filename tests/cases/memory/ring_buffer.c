// A ring buffer with wrap-around, driven by input commands.
// covet: cover % --function ring --iterations 400
static unsigned char ring_data[4];
static unsigned head, used;

static int put(unsigned char x)
{
    if (used == 4)
        return 0;
    ring_data[(head + used++) % 4] = x;
    return 1;
}

static int take(void)
{
    if (used == 0)
        return -1;
    unsigned char x = ring_data[head];
    head = (head + 1) % 4;
    used--;
    return x;
}

int ring(const unsigned char commands[6])
{
    int last = 0;
    for (int i = 0; i < 6; i++)
        if (commands[i] == 0)
            last = take();
        else if (!put(commands[i]))
            return 1; /* full */
    if (last == -1)
        return 2; /* was empty */
    return last == 42 && used == 2 ? 3 : 0;
}
