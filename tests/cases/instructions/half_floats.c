// Half floats are concrete: counted, and pinned, so that nothing later contradicts them.
// covet: cover % --function half
int half(_Float16 h, short bits)
{
    if (h == (_Float16)1.5)
        return 1;
    if (h > (_Float16)60000)
        return 2;
    return bits == 3;
}
