// Vector extensions, lane by lane.
// covet: cover % --function lanes
typedef int four __attribute__((vector_size(16)));

int lanes(int a, int b, int c, int d)
{
    four v = {a, b, c, d}, w = {1, 2, 3, 4};
    four sum = v + w;
    four product = v * w;
    if (sum[0] == 11 && a != 10)
        return 1; /* never */
    if (sum[2] == 103)
        return 2;
    if (product[3] == 48)
        return 3;
    four greater = v > w;
    if (greater[1])
        return 4;
    return 0;
}
