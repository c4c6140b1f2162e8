/* What all processes of the program use together: memory, threads, and bytes on disk or in files without a name.
 *
 * A process belongs to the program when it is in the warden's session: leaving it is refused. With a namespace, /proc shows few others. */
#define _GNU_SOURCE
#include "warden.h"

struct usage { unsigned long long memory, tasks, scratch; unsigned entries; };

static size_t read_text(int folder, const char *name, char *text, size_t room)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, room - 1);
    close(fd);
    text[size < 0 ? 0 : size] = 0;
    return size < 0 ? 0 : (size_t)size;
}

static unsigned long long field(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* The session of a process, from the sixth field of its `stat`. */
static pid_t session_of(int process)
{
    char text[512];
    int session = 0;
    read_text(process, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    if (name_end)
        sscanf(name_end + 1, " %*c %*d %*d %d", &session);
    return session;
}

/* Files that only a descriptor keeps: nothing else shows them. */
static void add_nameless(int process, struct usage *usage)
{
    struct stat kept = { 0 }, file;
    struct dirent *entry;
    int fd = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *descriptors = fd < 0 ? NULL : fdopendir(fd);
    if (!descriptors)
        return;
    if (orders.keep)
        fstat(orders.keep, &kept);
    while ((entry = readdir(descriptors)))
        if (fstatat(dirfd(descriptors), entry->d_name, &file, 0) == 0 && S_ISREG(file.st_mode) && file.st_nlink == 0
            && !(file.st_ino == kept.st_ino && file.st_dev == kept.st_dev))
            usage->scratch += (unsigned long long)file.st_blocks * 512;
    closedir(descriptors);
}

static void add_folder(int parent, const char *name, int depth, struct usage *usage)
{
    struct stat file;
    struct dirent *entry;
    int fd = depth > 64 ? -1 : openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (!folder)
        return;
    while (usage->entries < MOST_ENTRIES && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        usage->entries++;
        if (fstatat(dirfd(folder), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        usage->scratch += (unsigned long long)file.st_blocks * 512;
        if (S_ISDIR(file.st_mode))
            add_folder(dirfd(folder), entry->d_name, depth + 1, usage);
    }
    closedir(folder);
}

/* Does something with each process of the session until it says that this is enough: while processes are made faster than they are
 * looked at, there is no last one. */
static void each_member(pid_t session, int (*act)(int process, pid_t number, struct usage *usage), struct usage *usage)
{
    int is_enough = 0;
    struct dirent *entry;
    DIR *processes = opendir("/proc");
    pid_t self = getpid();
    char own[16];
    /* Where the namespace's own processes are mounted, we are not among them, and the session, which began outside, has no number. */
    if (readlink("/proc/self", own, sizeof own) < 0)
        session = 0;
    while (processes && !is_enough && (entry = readdir(processes))) {
        pid_t number = (pid_t)strtol(entry->d_name, NULL, 10);
        if (number <= 0)
            continue;
        int process = openat(dirfd(processes), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (process >= 0 && session_of(process) == session && number != self)
            is_enough = act(process, number, usage);
        close(process);
    }
    if (processes)
        closedir(processes);
}

static int is_over(unsigned long long used, unsigned long long limit)
{
    return limit && used > limit;
}

static int add_process(int process, pid_t number, struct usage *usage)
{
    char text[4096];
    (void)number;
    read_text(process, "status", text, sizeof text);
    usage->memory += (field(text, "RssAnon:") + field(text, "RssShmem:")) * 1024;
    usage->tasks += field(text, "Threads:");
    add_nameless(process, usage);
    return is_over(usage->memory, orders.memory) || is_over(usage->tasks, orders.tasks);
}

uint32_t used_too_much(pid_t session)
{
    struct usage usage = { 0, 0, 0, 0 };
    each_member(session, add_process, &usage);
    if (is_over(usage.memory, orders.memory))
        return OVER_MEMORY;
    if (is_over(usage.tasks, orders.tasks))
        return OVER_TASKS;
    if (orders.folder)
        add_folder(AT_FDCWD, orders.folder, 0, &usage);
    return is_over(usage.scratch, orders.scratch) || usage.entries >= MOST_ENTRIES ? OVER_SCRATCH : 0;
}

static int end_process(int process, pid_t number, struct usage *usage)
{
    (void)process;
    usage->tasks++;
    kill(number, SIGKILL);
    return 0;
}

/* Again and again: a process may start another while we look. */
void end_session(pid_t session)
{
    for (int rounds = 0; rounds < 100; rounds++) {
        struct usage found = { 0, 0, 0, 0 };
        each_member(session, end_process, &found);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (!found.tasks)
            return;
    }
}
