// Bubble sort of thirty numbers, with the usual early end when a pass changed nothing. Thirty variables.

enum { COUNT = 30 };

int bsort(int numbers[COUNT])
{
    int swaps = 0;
    for (int last = COUNT - 1; last > 0; last--) {
        int changed = 0;
        for (int i = 0; i < last; i++) {
            if (numbers[i] > numbers[i + 1]) {
                int held = numbers[i];
                numbers[i] = numbers[i + 1];
                numbers[i + 1] = held;
                changed = 1;
                swaps++;
            }
        }
        if (!changed)
            break;
    }
    return swaps;
}
