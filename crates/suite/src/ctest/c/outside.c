
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
COVTEST_DEFINE(char *, covtest_getenv, getenv, (const char *name)) { return covtest_getenv_any(name); }
COVTEST_DEFINE(char *, covtest_secure_getenv, secure_getenv, (const char *name)) { return covtest_getenv_any(name); }

static long covtest_read_any(int descriptor, void *to, unsigned long most)
{
    static unsigned count;
    ssize_t got;
    return covtest_os_read("read", ++count, to, most, &got) ? got : covtest_syscall(SYS_read, (long)descriptor, to, most);
}
COVTEST_DEFINE(long, covtest_read, read, (int descriptor, void *to, unsigned long most))
{
    return covtest_read_any(descriptor, to, most);
}
COVTEST_DEFINE(long, covtest_read_chk, __read_chk, (int descriptor, void *to, unsigned long most, unsigned long room))
{
    (void)room;
    return covtest_read_any(descriptor, to, most);
}

COVTEST_DEFINE(long, covtest_recv, recv, (int descriptor, void *to, unsigned long most, int flags))
{
    static unsigned count;
    ssize_t got;
    if (covtest_os_read("recv", ++count, to, most, &got))
        return got;
    return covtest_syscall(SYS_recvfrom, (long)descriptor, to, most, (long)flags, NULL, NULL);
}
COVTEST_DEFINE(long, covtest_recvfrom, recvfrom,
               (int descriptor, void *to, unsigned long most, int flags, void *from, void *length))
{
    static unsigned count;
    ssize_t got;
    if (covtest_os_read("recvfrom", ++count, to, most, &got))
        return got;
    return covtest_syscall(SYS_recvfrom, (long)descriptor, to, most, (long)flags, from, length);
}

COVTEST_DEFINE(int, covtest_ioctl, ioctl, (int descriptor, unsigned long request, void *argument))
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
#define COVTEST_STAT(name)                                                                                                       \
    COVTEST_DEFINE(int, covtest_##name, name, (const char *path, struct stat *to)) { return covtest_stat_any(-100, path, to, 0); }
#define COVTEST_LSTAT(name)                                                                                                      \
    COVTEST_DEFINE(int, covtest_##name, name, (const char *path, struct stat *to)) { return covtest_stat_any(-100, path, to, 0x100); }
#define COVTEST_FSTAT(name)                                                                                                      \
    COVTEST_DEFINE(int, covtest_##name, name, (int descriptor, struct stat *to)) { return covtest_stat_any(descriptor, "", to, 0x1000); }
COVTEST_STAT(stat)
COVTEST_STAT(stat64)
COVTEST_LSTAT(lstat)
COVTEST_LSTAT(lstat64)
COVTEST_FSTAT(fstat)
COVTEST_FSTAT(fstat64)
COVTEST_DEFINE(int, covtest_fstatat, fstatat, (int folder, const char *path, struct stat *to, int flags))
{
    return covtest_stat_any(folder, path, to, flags);
}
