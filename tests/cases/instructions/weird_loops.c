// Backward jumps, nested breaks, a loop with two exits and an unsigned countdown.
// covet: cover % --function wander
int wander(unsigned char a, unsigned char b)
{
    int steps = 0;
    a &= 7;
    b &= 7;
again:
    for (unsigned i = a; i-- > 0;) {
        for (unsigned j = 0; j < b; j++) {
            if (i == j)
                goto out;
            if (++steps > 12)
                return 1;
        }
        if (steps == 6)
            break;
    }
    if (a < 2) {
        a++, steps++;
        goto again;
    }
    return 2;
out:
    return steps == 2 ? 3 : 4;
}
