// covet: cover % --function header --function packet
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

static const int table[16] = { 3 };

int header(int descriptor)
{
    unsigned char bytes[4];
    if (read(descriptor, bytes, sizeof bytes) != sizeof bytes)
        return -1;
    if (bytes[0] != 'H')
        return 0;
    return bytes[1] < 16 ? table[bytes[1]] : -2;
}

int packet(int descriptor)
{
    char text[32];
    ssize_t got = recv(descriptor, text, sizeof text - 1, 0);
    if (got < 0)
        return -1;
    text[got] = 0;
    return text[0];
}
