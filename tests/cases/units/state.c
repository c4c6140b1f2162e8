// State in globals, with a pointer among it.
// covet: cover % --function step --symbolic-global machine
struct machine { int state; struct machine *saved; } machine;
int step(int input)
{
    if (machine.state == 4 && input == 1) {
        if (machine.saved && machine.saved->state == 7)
            return 2;
        return 1;
    }
    return 0;
}
