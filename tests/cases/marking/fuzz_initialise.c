// A fuzz harness with its own initialisation and a stateful target.
// covet: run % --size 4 --iterations 200
#include <stddef.h>
#include <stdint.h>
static int ready;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    ready = 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int state = ready ? 1 : 100;
    for (size_t i = 0; i < size; i++)
        switch (state) {
        case 1: state = data[i] == '(' ? 2 : 1; break;
        case 2: state = data[i] == '*' ? 3 : data[i] == '(' ? 2 : 1; break;
        case 3: state = data[i] == '*' ? 4 : 3; break;
        case 4: state = data[i] == ')' ? 5 : data[i] == '*' ? 4 : 3; break;
        case 5: return -1; /* a comment of four characters leaves none behind it: never */
        default: __builtin_unreachable();
        }
    if (state == 5)
        return 0;
    return 0;
}
