// What the system says about a file and about a terminal.
// covet: cover % --function share --function columns
#include <sys/ioctl.h>
#include <sys/stat.h>

int share(const char *path)
{
    struct stat about;
    if (stat(path, &about) < 0)
        return -1;
    if (S_ISDIR(about.st_mode))
        return 0;
    return 1000 / (int)(about.st_size & 0xff);
}

int columns(int descriptor)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) < 0)
        return 80;
    return 1000 / size.ws_col;
}
