// What nobody has written decides a branch, is an index, is returned; on the stack and in the heap.
// covet: cover % --check uninitialised
#include <stdlib.h>

int branch(int which)
{
    int level;
    if (which > 3)
        level = 1;
    if (which < 10) {
        if (level == 1)
            return 1;
    }
    return 0;
}

int returned(int which)
{
    int result;
    switch (which) {
    case 1:
        result = 10;
        break;
    case 2:
        result = 20;
        break;
    }
    return result;
}

int heap(int index)
{
    int *values = malloc(4 * sizeof *values);
    if (!values || index < 0 || index > 3)
        return -1;
    values[0] = values[1] = values[2] = 7;
    int found = 0;
    if (values[index] == 7)
        found = 1;
    free(values);
    return found;
}
