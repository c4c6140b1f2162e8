/* Files by descriptor and by name.
 *
 * Turns system calls on a symbolic file into reads of its bytes and of its symbolic size; every other descriptor and
 * name goes to the system. Files opened for writing only, or to be emptied, are the program's own and never symbolic. */
#include "covet/files.h"
#include "covet/outside.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t take(struct description *d, uint64_t at, void *to, size_t most) {
    size_t n = __covet_model_available(d, at, most), i;
    unsigned char *bytes = to;
    for (i = 0; i < n; i++) bytes[i] = (unsigned char)__covet_model_byte(d, at + i);
    return (ssize_t)n;
}

static int readable(const struct description *d) {
    if ((d->flags & O_ACCMODE) != O_WRONLY) return 1;
    errno = EBADF;
    return 0;
}

static ssize_t read_any(int descriptor, void *to, size_t most) {
    struct description *d = __covet_model_description(descriptor);
    ssize_t n;
    if (!d) {
        n = read(descriptor, to, most);
        if (n > 0) written(to, (size_t)n);
        return n;
    }
    if (!readable(d)) return -1;
    n = take(d, d->offset, to, most);
    d->offset += (uint64_t)n;
    return n;
}

/* Whether neither the run nor its input has opened a descriptor: then the answer may be input. */
static int outside(int descriptor) {
    return !__covet_model_description(descriptor) && __covet_model_is_outside(descriptor);
}

ssize_t MODEL(read)(int descriptor, void *to, size_t most) {
    static unsigned count;
    ssize_t n;
    count++;
    if (outside(descriptor) && __covet_os_read("read", count, to, most, &n)) return n;
    return read_any(descriptor, to, most);
}
ssize_t MODEL(__read_chk)(int descriptor, void *to, size_t most, size_t room) {
    (void)room;
    return MODEL(read)(descriptor, to, most);
}

ssize_t MODEL(pread)(int descriptor, void *to, size_t most, off_t at) {
    struct description *d = __covet_model_description(descriptor);
    if (!d) {
        ssize_t n = pread(descriptor, to, most, at);
        if (n > 0) written(to, (size_t)n);
        return n;
    }
    if (at < 0) {
        errno = EINVAL;
        return -1;
    }
    return readable(d) ? take(d, (uint64_t)at, to, most) : -1;
}
ssize_t MODEL(pread64)(int descriptor, void *to, size_t most, off_t at) {
    return MODEL(pread)(descriptor, to, most, at);
}

ssize_t MODEL(readv)(int descriptor, const struct iovec *parts, int count) {
    ssize_t total = 0;
    int i;
    for (i = 0; i < count; i++) {
        ssize_t n = read_any(descriptor, parts[i].iov_base, parts[i].iov_len);
        if (n < 0) return total ? total : n;
        total += n;
        if ((size_t)n < parts[i].iov_len) break;
    }
    return total;
}

ssize_t MODEL(write)(int descriptor, const void *from, size_t length) {
    struct description *d = __covet_model_description(descriptor);
    size_t n;
    if (!d) return write(descriptor, from, length);
    if ((d->flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return -1;
    }
    if (d->flags & O_APPEND) d->offset = __covet_model_size(d);
    n = __covet_model_write(d, d->offset, from, length);
    d->offset += n;
    return n == length ? (ssize_t)n : -1;
}

static int opens_symbolic(const char *name, int flags) {
    return (flags & O_ACCMODE) != O_WRONLY && !(flags & O_TRUNC) && __covet_model_file(name) >= 0;
}

static int open_any(int directory, const char *name, int flags, mode_t mode) {
    if (!opens_symbolic(name, flags)) {
        int descriptor = __covet_model_open_outside(name, flags);
        return descriptor == ASK_SYSTEM ? __covet_model_own(openat(directory, name, flags, mode)) : descriptor;
    }
    if ((flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return -1;
    }
    return __covet_model_open(name, flags);
}

#define MODE_ARGUMENT(flags, mode)                                      \
    do {                                                                \
        if ((flags) & (O_CREAT | O_TMPFILE)) {                          \
            va_list list;                                               \
            va_start(list, flags);                                      \
            mode = va_arg(list, mode_t);                                \
            va_end(list);                                               \
        }                                                               \
    } while (0)

int MODEL(open)(const char *name, int flags, ...) {
    mode_t mode = 0;
    MODE_ARGUMENT(flags, mode);
    return open_any(AT_FDCWD, name, flags, mode);
}
int MODEL(open64)(const char *name, int flags, ...) {
    mode_t mode = 0;
    MODE_ARGUMENT(flags, mode);
    return open_any(AT_FDCWD, name, flags, mode);
}
int MODEL(openat)(int directory, const char *name, int flags, ...) {
    mode_t mode = 0;
    MODE_ARGUMENT(flags, mode);
    return open_any(directory, name, flags, mode);
}
int MODEL(openat64)(int directory, const char *name, int flags, ...) {
    mode_t mode = 0;
    MODE_ARGUMENT(flags, mode);
    return open_any(directory, name, flags, mode);
}
int MODEL(creat)(const char *name, mode_t mode) { return __covet_model_own(creat(name, mode)); }

int MODEL(close)(int descriptor) {
    if (__covet_model_description(descriptor)) return __covet_model_close(descriptor);
    touches(descriptor);
    return close(descriptor);
}

off_t MODEL(lseek)(int descriptor, off_t offset, int from) {
    struct description *d = __covet_model_description(descriptor);
    int64_t to;
    if (!d) return lseek(descriptor, offset, from);
    if (from == SEEK_SET) to = offset;
    else if (from == SEEK_CUR) to = (int64_t)d->offset + offset;
    else if (from == SEEK_END) to = (int64_t)__covet_model_size(d) + offset;
    else to = -1;
    if (to < 0) {
        errno = EINVAL;
        return -1;
    }
    d->offset = (uint64_t)to;
    return to;
}
off_t MODEL(lseek64)(int descriptor, off_t offset, int from) { return MODEL(lseek)(descriptor, offset, from); }

/* A regular file of this size, owned by the caller. */
static int describe(struct stat *to, uint64_t size, int file) {
    __builtin_memset(to, 0, sizeof *to);
    to->st_mode = S_IFREG | 0644;
    to->st_nlink = 1;
    to->st_ino = (ino_t)(1000 + file);
    to->st_uid = getuid();
    to->st_gid = getgid();
    to->st_blksize = BUFFERED;
    to->st_size = (off_t)size;
    to->st_blocks = 8;
    return 0;
}

/* Calls of all functions that describe a file. */
static unsigned described;

int MODEL(fstat)(int descriptor, struct stat *to) {
    struct description *d = __covet_model_description(descriptor);
    int failed;
    described++;
    if (d) return describe(to, __covet_model_size(d), d->file);
    if (outside(descriptor) && __covet_os_stat(described, to, &failed)) return failed;
    failed = fstat(descriptor, to);
    if (!failed) written(to, sizeof *to);
    return failed;
}

static int stat_any(int directory, const char *name, struct stat *to, int flags) {
    int failed;
    described++;
    if (__covet_model_file(name) >= 0) {
        int file = __covet_model_file(name);
        return describe(to, __covet_file_size(file), file);
    }
    if (__covet_os_stat(described, to, &failed)) return failed;
    failed = fstatat(directory, name, to, flags);
    if (!failed) written(to, sizeof *to);
    return failed;
}
int MODEL(stat)(const char *name, struct stat *to) { return stat_any(AT_FDCWD, name, to, 0); }
int MODEL(lstat)(const char *name, struct stat *to) { return stat_any(AT_FDCWD, name, to, AT_SYMLINK_NOFOLLOW); }
int MODEL(fstatat)(int directory, const char *name, struct stat *to, int flags) {
    return stat_any(directory, name, to, flags);
}
int MODEL(fstat64)(int descriptor, struct stat *to) { return MODEL(fstat)(descriptor, to); }
int MODEL(stat64)(const char *name, struct stat *to) { return MODEL(stat)(name, to); }
int MODEL(lstat64)(const char *name, struct stat *to) { return MODEL(lstat)(name, to); }

int MODEL(access)(const char *name, int mode) {
    if (__covet_model_file(name) < 0) return access(name, mode);
    if (!(mode & X_OK)) return 0;
    errno = EACCES;
    return -1;
}

int MODEL(isatty)(int descriptor) {
    if (!__covet_model_description(descriptor)) return isatty(descriptor);
    errno = ENOTTY;
    return 0;
}

int MODEL(ftruncate)(int descriptor, off_t length) {
    struct description *d = __covet_model_description(descriptor);
    if (!d) return ftruncate(descriptor, length);
    if ((d->flags & O_ACCMODE) == O_RDONLY || length < 0) {
        errno = EINVAL;
        return -1;
    }
    __covet_model_write(d, (uint64_t)length, "", 1); /* makes the contents our own and long enough */
    d->size = (uint64_t)length;
    return 0;
}

/* The memory of a mapped symbolic file is a private copy. */
void *MODEL(mmap)(void *start, size_t length, int protection, int flags, int descriptor, off_t offset) {
    struct description *d = flags & MAP_ANONYMOUS ? NULL : __covet_model_description(descriptor);
    void *memory;
    if (!d) return mmap(start, length, protection, flags, descriptor, offset);
    length = (size_t)settled((int64_t)length);
    memory = mmap(start, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (flags & MAP_FIXED), -1, 0);
    if (memory == MAP_FAILED) return memory;
    __covet_register_object(memory, length);
    take(d, (uint64_t)offset, memory, length);
    mprotect(memory, length, protection);
    return memory;
}
void *MODEL(mmap64)(void *start, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return MODEL(mmap)(start, length, protection, flags, descriptor, offset);
}
