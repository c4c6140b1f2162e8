// Walking over numbers with a callback and a context. The seeded bug calls a callback that may be missing.
// covet: cover % --function walk --function total
// covet: cover % --function walk --function total -- -DBUG
#include <stddef.h>

typedef int (*visitor)(int value, void *context);

struct sum {
    int total, limit;
};

static int add(int value, void *context)
{
    struct sum *sum = context;
    if (!sum || value < 0 || value > 1000)
        return -1;
    sum->total += value;
    return sum->total > sum->limit;
}

int walk(const int numbers[4], visitor visit, void *context)
{
    int stopped = -1;
#ifndef BUG
    if (!visit)
        return -2;
#endif
    for (int i = 0; i < 4; i++) {
        int answer = visit(numbers[i], context);
        if (answer < 0)
            return -3;
        if (answer > 0) {
            stopped = i;
            break;
        }
    }
    return stopped;
}

int total(const int numbers[4])
{
    struct sum sum = {0, 100};
    int stopped = walk(numbers, add, &sum);
    if (stopped == 2 && sum.total == 111)
        return 1;
    return sum.total;
}
