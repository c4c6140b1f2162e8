// As gnulib does it: a function of the system goes by another name, which nobody here defines. The test stands in for the system's all the same.
// covet: cover %
#include <fcntl.h>
#include <unistd.h>
#define open open_safer
extern int open_safer(const char *name, int flags, ...);
#define stat(name, to) rpl_stat(name, to)

int first(const char *name)
{
    char byte;
    int file = open(name, O_RDONLY);
    if (file < 0)
        return -1;
    if (read(file, &byte, 1) != 1)
        return -2;
    return byte == 'P';
}
