// Pointers that are set from one another point into one array.
// covet: hunt % --filter off --no-official --function push --function left
// covet: show invariants %
struct stack { int *low, *top, *high; };

void set(struct stack *stack, int *memory, unsigned n)
{
    stack->low = memory;
    stack->top = stack->low;
    stack->high = stack->low + n;
}

int push(struct stack *stack, int value)
{
    if (stack->top == stack->high)
        return 0;
    *stack->top++ = value;
    return 1;
}

int left(struct stack *stack)
{
    while (stack->top != stack->low)
        if (!*--stack->top)
            return 1;
    return 0;
}
