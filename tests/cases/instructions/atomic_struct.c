// Atomics of several widths, loops of compare and exchange, flags.
// covet: cover % --function update
#include <stdatomic.h>
int update(unsigned long a, short b, unsigned char max)
{
    _Atomic unsigned long cell = a;
    unsigned long old = atomic_load(&cell);
    atomic_store_explicit(&cell, old * 2 + 1, memory_order_release);
    if (cell == 0x101)
        return 1;
    _Atomic short s = b;
    if (atomic_fetch_or(&s, 0xf0) == 0x0f)
        return 2;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    atomic_flag_test_and_set(&flag);
    if (atomic_flag_test_and_set(&flag) && max == 3)
        return 3;
    unsigned char m = 100;
    __atomic_fetch_sub(&m, max, __ATOMIC_RELAXED);
    return m == 250 ? 4 : 0;
}
