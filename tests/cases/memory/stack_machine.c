// A stack machine with symbolic program: reads, writes and indices all symbolic.
// covet: cover % --function machine --iterations 800
int machine(const unsigned char program[5])
{
    int stack[6] = {0}, top = 1;
    for (int pc = 0; pc < 5; pc++) {
        unsigned char op = program[pc];
        if (op < 100)
            stack[top++] = op;
        else if (op == 200) {
            if (top < 3)
                return -1;
            top--;
            stack[top - 1] += stack[top];
        } else if (op == 201) {
            if (top < 3)
                return -1;
            top--;
            stack[top - 1] *= stack[top];
        } else
            return -2;
    }
    if (top == 2 && stack[1] == 1000)
        return 1;
    return 0;
}
