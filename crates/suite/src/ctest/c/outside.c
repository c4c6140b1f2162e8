
/* Defines a function of the system, like COVTEST_DEFINE; also where a sanitizer has one of its own, which is weak too. */
#if defined(__SANITIZE_ADDRESS__)
#define COVTEST_BEFORE_SANITIZERS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define COVTEST_BEFORE_SANITIZERS
#endif
#endif
#ifdef COVTEST_BEFORE_SANITIZERS
#define COVTEST_STANDS_FOR(type, name, symbol, parameters) \
    type name parameters __asm__(symbol); \
    type name parameters
#else
#define COVTEST_STANDS_FOR COVTEST_DEFINE
#endif

extern char **covtest_environment __asm__("environ");

static char *covtest_getenv_any(const char *name)
{
    char **entry, *value;
    unsigned long length = __builtin_strlen(name);
    if (covtest_os_getenv(name, &value))
        return value;
    for (entry = covtest_environment; entry && *entry; entry++)
        if (__builtin_strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}
COVTEST_STANDS_FOR(char *, covtest_getenv, "getenv", (const char *name)) { return covtest_getenv_any(name); }
COVTEST_STANDS_FOR(char *, covtest_secure_getenv, "secure_getenv", (const char *name)) { return covtest_getenv_any(name); }

static long covtest_read_any(int descriptor, void *to, unsigned long most)
{
    static unsigned count;
    ssize_t got;
    return covtest_os_read("read", ++count, to, most, &got) ? got : covtest_syscall(SYS_read, (long)descriptor, to, most);
}
COVTEST_STANDS_FOR(long, covtest_read, "read", (int descriptor, void *to, unsigned long most))
{
    return covtest_read_any(descriptor, to, most);
}
COVTEST_STANDS_FOR(long, covtest_read_chk, "__read_chk", (int descriptor, void *to, unsigned long most, unsigned long room))
{
    (void)room;
    return covtest_read_any(descriptor, to, most);
}

/* A file that the record has, with 256 bytes at most, as in `description.c` of the models; -1 when it is not there, -2 when the record does not say.
 * The record is of files that a test opens to read them: not to create or empty them, as folders, or for their place alone. */
static int covtest_recorded_file(int flags)
{
    static unsigned count;
    unsigned char bytes[256];
    unsigned long size;
    int is_there, file;
    if ((flags & 3) == 1 || flags & (0100 | 01000 | 0200000 | 010000000) || !(covtest_mark_count || covtest_list_count))
        return -2;
    if (!covtest_os_open(++count, &is_there))
        return -2;
    if (!is_there)
        return -1;
    size = covtest_os_contents(count, bytes, sizeof bytes);
    file = (int)covtest_syscall(SYS_memfd_create, "file", 0L);
    covtest_write_all(file, (const char *)bytes, size);
    covtest_syscall(SYS_lseek, (long)file, 0L, 0L);
    return file;
}

static int covtest_open_any(int folder, const char *name, int flags, unsigned mode)
{
    int file = covtest_recorded_file(flags);
    return file == -2 ? (int)covtest_syscall(SYS_openat, (long)folder, name, (long)flags, (long)mode) : file;
}
#define COVTEST_OPEN(name, symbol)                                                                                                       \
    COVTEST_STANDS_FOR(int, name, symbol, (const char *path, int flags, unsigned mode))                                        \
    {                                                                                                                              \
        return covtest_open_any(-100, path, flags, mode);                                                                          \
    }
#define COVTEST_OPENAT(name, symbol)                                                                                                     \
    COVTEST_STANDS_FOR(int, name, symbol, (int folder, const char *path, int flags, unsigned mode))                            \
    {                                                                                                                              \
        return covtest_open_any(folder, path, flags, mode);                                                                        \
    }
COVTEST_OPEN(covtest_open, "open")
COVTEST_OPEN(covtest_open64, "open64")
COVTEST_OPENAT(covtest_openat, "openat")
COVTEST_OPENAT(covtest_openat64, "openat64")

/* What open(2) is told for a mode of stdio: 0 reads, 1 writes, 2 does both; create, truncate, append, only if new. */
static int covtest_mode_flags(const char *mode)
{
    const int is_both = __builtin_strchr(mode, '+') != NULL, is_new = __builtin_strchr(mode, 'x') ? 0200 : 0;
    switch (*mode) {
    case 'r': return is_both ? 2 : 0;
    case 'w': return (is_both ? 2 : 1) | 0100 | 01000 | is_new;
    case 'a': return (is_both ? 2 : 1) | 0100 | 02000 | is_new;
    default: return -1;
    }
}

static void *covtest_fopen_any(const char *path, const char *mode)
{
    int flags = covtest_mode_flags(mode), file;
    if (flags < 0) {
        errno = EINVAL;
        return NULL;
    }
    file = covtest_open_any(-100, path, flags, 0666);
    return file < 0 ? NULL : covtest_fdopen(file, mode);
}
COVTEST_STANDS_FOR(void *, covtest_fopen, "fopen", (const char *path, const char *mode)) { return covtest_fopen_any(path, mode); }
COVTEST_STANDS_FOR(void *, covtest_fopen64, "fopen64", (const char *path, const char *mode)) { return covtest_fopen_any(path, mode); }

COVTEST_STANDS_FOR(long, covtest_recv, "recv", (int descriptor, void *to, unsigned long most, int flags))
{
    static unsigned count;
    ssize_t got;
    if (covtest_os_read("recv", ++count, to, most, &got))
        return got;
    return covtest_syscall(SYS_recvfrom, (long)descriptor, to, most, (long)flags, NULL, NULL);
}
COVTEST_STANDS_FOR(long, covtest_recvfrom, "recvfrom",
               (int descriptor, void *to, unsigned long most, int flags, void *from, void *length))
{
    static unsigned count;
    ssize_t got;
    if (covtest_os_read("recvfrom", ++count, to, most, &got))
        return got;
    return covtest_syscall(SYS_recvfrom, (long)descriptor, to, most, (long)flags, from, length);
}

COVTEST_STANDS_FOR(int, covtest_ioctl, "ioctl", (int descriptor, unsigned long request, void *argument))
{
    static unsigned count;
    int result;
    if (covtest_os_ioctl(++count, request, argument, &result))
        return result;
    return (int)covtest_syscall(SYS_ioctl, (long)descriptor, request, argument);
}

static int covtest_stat_any(int folder, const char *name, struct stat *to, int flags)
{
    static unsigned count;
    int result;
    if (covtest_os_stat(++count, to, &result))
        return result;
    return (int)covtest_syscall(SYS_newfstatat, (long)folder, name, to, (long)flags);
}
/* The numbers of AT_FDCWD, AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH. */
#define COVTEST_STAT(name, symbol)                                                                                                       \
    COVTEST_STANDS_FOR(int, name, symbol, (const char *path, struct stat *to)) { return covtest_stat_any(-100, path, to, 0); }
#define COVTEST_LSTAT(name, symbol)                                                                                                      \
    COVTEST_STANDS_FOR(int, name, symbol, (const char *path, struct stat *to)) { return covtest_stat_any(-100, path, to, 0x100); }
#define COVTEST_FSTAT(name, symbol)                                                                                                      \
    COVTEST_STANDS_FOR(int, name, symbol, (int descriptor, struct stat *to)) { return covtest_stat_any(descriptor, "", to, 0x1000); }
COVTEST_STAT(covtest_stat, "stat")
COVTEST_STAT(covtest_stat64, "stat64")
COVTEST_LSTAT(covtest_lstat, "lstat")
COVTEST_LSTAT(covtest_lstat64, "lstat64")
COVTEST_FSTAT(covtest_fstat, "fstat")
COVTEST_FSTAT(covtest_fstat64, "fstat64")
COVTEST_STANDS_FOR(int, covtest_fstatat, "fstatat", (int folder, const char *path, struct stat *to, int flags))
{
    return covtest_stat_any(folder, path, to, flags);
}
