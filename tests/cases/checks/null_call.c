// Calls through a null function pointer.
// covet: cover % --function call
static int good(void) { return 1; }
int call(unsigned which)
{
    int (*table[3])(void) = {good, good, 0};
    if (which > 2)
        return -1;
    return table[which]();
}
