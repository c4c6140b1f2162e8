/* Byte order, bit positions and the last part of a path.
 *
 * Turns functions that an unoptimised build calls, where others have macros, into shifts and masks over their argument. */
#include "covet/model.h"
#include <strings.h>
#include <sys/types.h>

uint32_t MODEL(htonl)(uint32_t x) {
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
uint16_t MODEL(htons)(uint16_t x) { return (uint16_t)((unsigned)x << 8 | x >> 8); }
uint32_t MODEL(ntohl)(uint32_t x) { return MODEL(htonl)(x); }
uint16_t MODEL(ntohs)(uint16_t x) { return MODEL(htons)(x); }

void MODEL(swab)(const void *from, void *to, ssize_t length) {
    const char *f = from;
    char *t = to;
    for (; length > 1; length -= 2, f += 2, t += 2) {
        char first = f[0];
        t[0] = f[1];
        t[1] = first;
    }
}

/* One bit each: 1 + number of the lowest bit that is set, 0 when none is. */
static int lowest(uint64_t x, int bits) {
    int found = 0, i;
    for (i = bits - 1; i >= 0; i--) {
        int set = (int)(x >> i & 1);
        found = (found & (set - 1)) | ((i + 1) & -set);
    }
    return found;
}
int MODEL(ffs)(int x) { return lowest((unsigned)x, 32); }
int MODEL(ffsl)(long x) { return lowest((unsigned long)x, 64); }
int MODEL(ffsll)(long long x) { return lowest((unsigned long long)x, 64); }

char *MODEL(strrchr)(const char *s, int c);
char *MODEL(basename)(const char *path) {
    char *slash = MODEL(strrchr)(path, '/');
    return slash ? slash + 1 : (char *)path;
}
