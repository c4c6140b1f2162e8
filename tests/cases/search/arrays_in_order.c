// Branches that all elements decide together: flips bring them about one pair at a time, an array in order at once.
// covet: cover % --iterations 60
enum { COUNT = 12 };

int inversions(const int v[COUNT])
{
    int found = 0;
    for (int i = 0; i < COUNT; i++)
        for (int k = i + 1; k < COUNT; k++)
            if (v[i] > v[k])
                found++;
    if (found == COUNT * (COUNT - 1) / 2)
        return 2;
    if (found == 0)
        return 1;
    return 0;
}

int longest_rise(const double v[COUNT])
{
    int best = 0, now = 0;
    for (int i = 1; i < COUNT; i++) {
        now = v[i] > v[i - 1] ? now + 1 : 0;
        if (now > best)
            best = now;
    }
    if (best == COUNT - 1)
        return 2;
    if (best == 0)
        return 1;
    return 0;
}

int has_moved_all_the_way(int v[COUNT])
{
    for (int i = 1; i < COUNT; i++) {
        int held = v[i], k = i;
        for (; k > 0 && v[k - 1] > held; k--)
            v[k] = v[k - 1];
        v[k] = held;
        if (i == COUNT - 1 && k == 0)
            return 1;
    }
    return 0;
}
