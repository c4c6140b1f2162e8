// A number that stands beside a pointer and is not used as its length may count something else: no alarm about a first element.
// covet: cover % --function scaled
int scaled(const int *factor, int n)
{
    return factor ? *factor * (n & 7) : 0;
}
