// A real hang, for one input alone: that is an alarm.
// promise: endless
// covet: cover % --function f --time 8
// check: alarm timeout
int f(unsigned x)
{
    if (x == 4711)
        for (;;)
            ;
    return 0;
}
