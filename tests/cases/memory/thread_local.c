// Thread-local variables behave like globals and start afresh.
// covet: cover % --function per_thread
static _Thread_local int counter = 3;
static __thread unsigned char window[4];

int per_thread(unsigned i, int x)
{
    counter += x;
    if (counter == 45)
        return 1;
    window[i & 3] = x;
    if (window[2] == 200)
        return counter == 203 ? 2 : 3;
    return 0;
}
