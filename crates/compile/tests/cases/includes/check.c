#include <assert.h>
#include <string.h>
extern void __covet_driver_0_where(void **, void *), __covet_driver_0_line(void **, void *), __covet_driver_0_base(void **, void *), __covet_driver_0_again(void **, void *);
int main(void)
{
    const char *file;
    int r;
    __covet_driver_0_where(0, &file), assert(strcmp(file, "src/deep/er/main.c") == 0);
    __covet_driver_0_line(0, &r), assert(r == 5);
    __covet_driver_0_base(0, &r), assert(r == 3);
    __covet_driver_0_again(0, &r), assert(r == 2);
    return 0;
}
