// covet: cover % --function put
// A handle that is `void *` to its users, before a buffer with its length: the length is the buffer's.
#include <string.h>

typedef void handle;

struct file { char buffer[8]; int used; int is_writing; };

int put(int *error, handle *h, const void *data, int length) {
    struct file *file = (struct file *)h;
    *error = 0;
    if (file == NULL || data == NULL || length < 0)
        return *error = -2;
    if (!file->is_writing)
        return *error = -1;
    if (file->used < 0 || file->used > 8)
        return *error = -3;
    if (length > 8 - file->used)
        return *error = -4;
    memcpy(file->buffer + file->used, data, (size_t)length);
    file->used += length;
    return file->used == 8 ? 2 : 1;
}
