// A stack that does not look whether it is full: the mistake shows after four pushes, and a user of the header alone can make them.
// covet: hunt %
// covet: show interface %
#include "stack.h"
#include <stdlib.h>

#define ROOM 4

struct stack {
    int depth;
    int values[ROOM];
};

struct stack *stack_new(void)
{
    return calloc(1, sizeof(struct stack));
}

void stack_free(struct stack *stack)
{
    free(stack);
}

int stack_push(struct stack *stack, int value)
{
    stack->values[stack->depth++] = value;
    return stack->depth;
}

int stack_pop(struct stack *stack, int *value)
{
    if (stack->depth == 0)
        return 0;
    *value = stack->values[--stack->depth];
    return 1;
}

int stack_depth(const struct stack *stack)
{
    return stack->depth;
}
