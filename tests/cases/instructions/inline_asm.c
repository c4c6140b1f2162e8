// Inline assembly is opaque: its result is concrete, the input before it stays symbolic.
// covet: cover % --function opaque
int opaque(int a, int b)
{
    int copy = a;
    __asm__("addl $1, %0" : "+r"(copy));
    if (b == 12345)
        return copy == a + 1 ? 1 : 2; /* 2 never */
    __asm__ volatile("" ::: "memory");
    if (a * 3 == 126)
        return copy == 43 ? 3 : 4; /* 4 never */
    return 0;
}
