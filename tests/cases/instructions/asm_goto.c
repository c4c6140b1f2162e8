// Assembly with outputs in memory and a jump label.
// covet: cover % --function jump
int jump(int a)
{
    __asm__ goto("" : : "r"(a) : : out);
    if (a == 17)
        return 1;
    return 0;
out:
    return 2;
}
