// Every global that the function and what it calls read is input; what they do not name is not.
// covet: cover % --function tick --symbolic-globals
static int clock_ticks = 1;
int limit = 10, unrelated = 5;
static struct { int *slot; char mode; } settings;
static int over(void) { return clock_ticks > limit; }
int tick(void)
{
    if (over())
        return 1;
    if (settings.mode == 'w' && settings.slot && *settings.slot == 9)
        return 2;
    return 0;
}
