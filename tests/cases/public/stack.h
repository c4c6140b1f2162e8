/* A stack of numbers. */
#ifndef STACK_H
#define STACK_H
struct stack;
struct stack *stack_new(void);
void stack_free(struct stack *stack);
int stack_push(struct stack *stack, int value);
int stack_pop(struct stack *stack, int *value);
int stack_depth(const struct stack *stack);
#endif
