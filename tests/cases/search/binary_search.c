// Binary search: each element, each gap.
// covet: cover % --function find --strategy bounded-dfs --max-depth 20
static const int sorted[] = {-40, -3, 0, 8, 15, 77, 1000, 4711};

int find(int x)
{
    int low = 0, high = 7, steps = 0;
    while (low <= high) {
        int middle = (low + high) / 2;
        steps++;
        if (sorted[middle] == x) {
            if (steps == 4)
                return 100 + middle;
            return middle;
        }
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
