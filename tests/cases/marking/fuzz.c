// A fuzz harness: bytes and length are input.
// covet: run % --size 5
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    if (memcmp(data, "FZ", 2) != 0)
        return 0;
    if (data[2] == size && size == 5) {
        if (data[3] + data[4] == 300)
            __builtin_trap();
    }
    return 0;
}
