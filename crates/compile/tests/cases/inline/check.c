#include <assert.h>
extern void __covet_driver_0_a(void **, void *), __covet_driver_0_plain_inline(void **, void *), __covet_driver_0_static_inline(void **, void *);
int only_inline(int x) { return x + 4; }
int main(void)
{
    int x = 10, r;
    __covet_driver_0_a((void *[]){&x}, &r), assert(r == 36);
    __covet_driver_0_plain_inline((void *[]){&x}, &r), assert(r == 11);
    __covet_driver_0_static_inline((void *[]){&x}, &r), assert(r == 12);
    return 0;
}
