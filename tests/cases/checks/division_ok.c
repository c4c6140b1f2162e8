// covet: cover % --function share
#include <limits.h>
int share(int all, int n) {
    if (n == 0 || (all == INT_MIN && n == -1)) return 0;
    int each = all / n;
    return each == 12345 ? 0 : 100 / (each - 12345);
}
