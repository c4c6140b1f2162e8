#include <assert.h>
extern void __covet_driver_0_shadowed(void **, void *), __covet_driver_0_renamed_later(void **, void *);
extern void __covet_driver_0_sum(void **, void *), __covet_driver_0_last(void **, void *);
int main(void)
{
    int x = 1, r, p[2] = {3, 4};
    __covet_driver_0_shadowed((void *[]){&x}, &r), assert(r == 2);
    __covet_driver_0_renamed_later((void *[]){&x}, &r), assert(r == 3);
    __covet_driver_0_sum((void *[]){p}, &r), assert(r == 7);
    __covet_driver_0_last(0, &r), assert(r == 9);
    return 0;
}
