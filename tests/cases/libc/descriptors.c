// read, lseek, fstat and mmap on symbolic files.
// covet: run % --stdin 5 --file data:6
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    char b[8], *m;
    struct stat s;
    ssize_t n = read(0, b, sizeof b);
    int fd;
    if (n < 4)
        return 1;
    if (memcmp(b, "\x7f" "ELF", 4) == 0)
        return 2;
    if ((fd = open("data", O_RDONLY)) < 0)
        return 3;
    fstat(fd, &s);
    if (s.st_size == 0)
        return 4;
    m = mmap(0, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (s.st_size >= 3 && m[0] == 'a' && m[1] == m[2] + 3)
        return 5;
    if (lseek(fd, -2, SEEK_END) >= 0 && read(fd, b, 1) == 1 && b[0] == '#')
        return 6;
    return 0;
}
