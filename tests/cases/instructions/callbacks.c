// Function pointers in structs, chosen by input.
// covet: cover % --function dispatch
struct handler { int key; int (*run)(int); };
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int fail(int x) { return x < 0 ? -x : -1; }
static const struct handler handlers[] = {{7, twice}, {70, square}, {700, fail}};
int dispatch(int key, int x)
{
    for (int i = 0; i < 3; i++)
        if (handlers[i].key == key) {
            int r = handlers[i].run(x);
            if (r == 144)
                return 10 + i;
            return i;
        }
    return -1;
}
