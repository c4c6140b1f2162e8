// A key in a file, a message on standard input, a pattern as argument.
// covet: run % --stdin 3 --file key:2 --arg 1
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    unsigned char key[2], text[3];
    int fd = open("key", O_RDONLY);
    if (fd < 0 || read(fd, key, 2) != 2)
        return 1;
    close(fd);
    if (fread(text, 1, 3, stdin) != 3)
        return 2;
    for (int i = 0; i < 3; i++)
        text[i] ^= key[i % 2];
    if (text[0] == 'k' && text[1] == 'e' && text[2] == 'y')
        return 3;
    if (argc > 1 && argv[1][0] == text[0] && text[0] > 'x')
        return 4;
    return 0;
}
