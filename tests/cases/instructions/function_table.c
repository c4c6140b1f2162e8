// Calls through a table of functions at a symbolic index.
// covet: cover % --function apply
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int both(int a, int b) { return a & b; }
static int larger(int a, int b)
{
    if (a > b)
        return a;
    return b;
}
static int (*const operations[])(int, int) = {add, subtract, both, larger};

int apply(unsigned op, int a, int b)
{
    if (op >= sizeof operations / sizeof *operations)
        return -1;
    int (*operation)(int, int) = operations[op];
    int result = operation(a, b);
    if (operation == both && result == 0x41)
        return 1;
    if (result == 1234 && op == 1)
        return 2;
    return 0;
}
