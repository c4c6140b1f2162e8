// C11 atomics and the older __sync and __atomic builtins.
// covet: cover % --function exchange
#include <stdatomic.h>
#include <stdbool.h>

int exchange(int a, int b, unsigned char c, long d)
{
    atomic_int cell = a;
    int expected = 7;
    if (atomic_compare_exchange_strong(&cell, &expected, b))
        return cell == 9 ? 1 : 2;
    if (expected == 100)
        return 3; /* a failed exchange tells what was there */
    if (atomic_fetch_add(&cell, 5) < 0 && atomic_load(&cell) == 4)
        return 4;
    unsigned char bits = c;
    if (__sync_fetch_and_xor(&bits, 0x0f) != 0xaa && bits == 0x5a)
        return 5;
    long old = d;
    if (__atomic_exchange_n(&old, 3, __ATOMIC_SEQ_CST) == 1l << 33)
        return 6;
    if (__sync_bool_compare_and_swap(&old, 4, 5))
        return 7; /* never: it holds 3 */
    _Atomic unsigned char low = c;
    low--;
    return low == 255 ? 8 : 0;
}
