// Assertions that only fail together with what was computed before.
// covet: cover % --function invariant
#include <assert.h>
struct stack { int items[3]; unsigned top; };
static void push(struct stack *s, int x)
{
    assert(s->top < 3);
    s->items[s->top++] = x;
}
int invariant(const signed char commands[4])
{
    struct stack s = {{0}, 0};
    for (int i = 0; i < 4; i++) {
        if (commands[i] > 0)
            push(&s, commands[i]);
        else if (commands[i] < 0 && s.top > 0)
            s.top--;
    }
    return s.top;
}
