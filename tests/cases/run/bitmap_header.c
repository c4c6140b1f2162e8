// A binary header through read and lseek.
// covet: run % --file image.bmp:14
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#pragma pack(push, 1)
struct header { uint16_t magic; uint32_t size; uint16_t a, b; uint32_t offset; };
#pragma pack(pop)
int main(void)
{
    struct header h;
    int fd = open("image.bmp", O_RDONLY);
    if (fd < 0)
        return 9;
    if (lseek(fd, 0, SEEK_END) != 14)
        return 1;
    lseek(fd, 0, SEEK_SET);
    if (read(fd, &h, sizeof h) != sizeof h)
        return 2;
    if (h.magic != 0x4d42)
        return 3;
    if (h.offset >= h.size)
        return 4;
    if (h.a | h.b)
        return 5;
    return h.size == 0x36 + 3 * 100 ? 6 : 0;
}
