// A binary heap in an array with its number of elements. The seeded bug looks at a right child that may not be there.
// covet: cover % --function sift_down
// covet: cover % --function sift_down -- -DBUG
int sift_down(int *heap, unsigned count)
{
    unsigned at = 0;
    int swaps = 0;
    if (!heap || count > 16)
        return -1;
    for (;;) {
        unsigned child = 2 * at + 1;
        if (child >= count)
            return swaps;
#ifdef BUG
        if (heap[child + 1] > heap[child])
#else
        if (child + 1 < count && heap[child + 1] > heap[child])
#endif
            child++;
        if (heap[at] >= heap[child])
            return swaps;
        int above = heap[at];
        heap[at] = heap[child];
        heap[child] = above;
        at = child;
        swaps++;
    }
}
