// What a made-up function gives counts only where something depends on it; a function that is picked gets data it was not made for.
// covet: hunt % --filter off --no-official --function depends --function does_not --function visit
struct cursor { int *at; };
typedef int (*compare)(long, long);
typedef int (*visitor)(void *);

int depends(compare compare, int a)
{
    return 100 / (compare(a, 1) - 5);
}

int does_not(compare compare, int a)
{
    compare(a, 1);
    if (a == 3)
        return 100 / (a - 3);
    return 0;
}

int step(void *data)
{
    struct cursor *cursor = data;
    if (!cursor->at)
        return 0;
    return cursor->at[900];
}

int visit(visitor visitor, void *data)
{
    return visitor(data);
}
