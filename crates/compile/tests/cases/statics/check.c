#include <assert.h>
extern void __covet_driver_0_helper(void **, void *), __covet_driver_1_helper(void **, void *);
int main(void)
{
    int x = 3, r;
    __covet_driver_0_helper((void *[]){&x}, &r), assert(r == 13);
    __covet_driver_1_helper((void *[]){&x}, &r), assert(r == 60);
    return 0;
}
