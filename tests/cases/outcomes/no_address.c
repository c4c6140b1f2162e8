// An address that no memory can have is not NULL, although the kernel tells 0 of it. The place told is the decision before, a line too early:
// it is the look at whether the load is symbolic that fails, and that keeps no frame.
// covet: cover % --function follow --function wild
int follow(unsigned long base, int which)
{
    const int *at = (const int *)(base | 0x6161000000000000);
    if (which == 5)
        return *at;
    return which;
}

int wild(int which)
{
    int *at = 0;
    if (which == 6)
        return *at;
    return which;
}
