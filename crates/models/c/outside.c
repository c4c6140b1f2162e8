/* Calls of the system by a function that is explored by itself: what they give is input.
 *
 * Turns `getenv`, `recv` and `ioctl` into questions of `surroundings.c`, which follows; `read` and `stat` are with the files. Descriptors
 * that the run has opened itself are the system's: only what came from outside is input. */
#include "covet/files.h"
#include "covet/outside.h"
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static unsigned char own[MODEL_DESCRIPTORS / 8];

int __covet_model_own(int descriptor) {
    if (descriptor >= 0 && descriptor < MODEL_DESCRIPTORS) own[descriptor / 8] |= (unsigned char)(1 << descriptor % 8);
    return descriptor;
}

int __covet_model_is_outside(int descriptor) {
    int number = (int)concrete(descriptor);
    return number < 0 || number >= MODEL_DESCRIPTORS || !(own[number / 8] >> number % 8 & 1);
}

char *MODEL(getenv)(const char *name) {
    char *value;
    return __covet_os_getenv(name, &value) ? value : getenv(name);
}
char *MODEL(secure_getenv)(const char *name) { return MODEL(getenv)(name); }

ssize_t MODEL(recv)(int descriptor, void *to, size_t most, int flags) {
    static unsigned count;
    ssize_t n;
    if (__covet_os_read("recv", ++count, to, most, &n)) return n;
    n = recv(descriptor, to, most, flags);
    if (n > 0) written(to, (size_t)n);
    return n;
}

ssize_t MODEL(recvfrom)(int descriptor, void *to, size_t most, int flags, struct sockaddr *from, socklen_t *length) {
    static unsigned count;
    ssize_t n;
    if (__covet_os_read("recvfrom", ++count, to, most, &n)) return n;
    n = recvfrom(descriptor, to, most, flags, from, length);
    if (n > 0) written(to, (size_t)n);
    if (n >= 0 && from && length) written(from, *length);
    return n;
}

int MODEL(ioctl)(int descriptor, unsigned long request, ...) {
    static unsigned count;
    va_list list;
    void *argument;
    int result;
    va_start(list, request);
    begun(list);
    argument = va_arg(list, void *);
    va_end(list);
    request = __covet_settle(request);
    if (__covet_os_ioctl(++count, request, argument, &result)) return result;
    return ioctl(descriptor, request, argument);
}

#define COVET_OS
#define COVET_ANSWER(name) __covet_os_##name
#define COVET_ASKED(label) __covet_surrounded()
#define COVET_INPUT(kind, width, label) __covet_input(kind, width, label)
#define COVET_FILL(to, size, label) __covet_make_symbolic(to, size, label, NULL, 0)
#define COVET_PLAIN(value) concrete((int64_t)(value))
#define COVET_PINNED(value) __covet_settle((uint64_t)(value))
#define COVET_COUNTED(value) settled(value)
#define COVET_ASSUME(condition) __covet_assume((uint32_t)(condition))
