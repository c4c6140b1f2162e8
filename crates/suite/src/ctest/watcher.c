/* ---- Running the tests: each in a process of its own, with limits --------------------------------------------------------- */

static int covet_keep_output;

static void covet_print(const char *text)
{
    covet_write_all(1, text, __builtin_strlen(text));
}

static void covet_limit(long resource, unsigned long soft)
{
    unsigned long limit[2];
    limit[0] = limit[1] = 0;
    covet_syscall(SYS_prlimit64, 0L, resource, (void *)0, limit);
    limit[0] = soft < limit[1] ? soft : limit[1];
    covet_syscall(SYS_prlimit64, 0L, resource, limit, (void *)0);
}

static void covet_run_child(const struct covet_test *test)
{
    covet_syscall(SYS_prctl, 1L, 9L); /* do not outlive the watcher */
    covet_limit(4, 0);                /* no core file */
    covet_limit(3, 8UL << 20);        /* stack */
    covet_limit(1, 64UL << 20);       /* file size */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    covet_limit(9, COVET_MEMORY); /* address space */
#endif
    if (!covet_keep_output) {
        covet_move_descriptor((int)covet_syscall(SYS_openat, -100L, "/dev/null", 01L), 1);
        covet_syscall(SYS_dup3, 1L, 2L, 0L);
    }
    covet_stdin("", 0);
    test->run();
    covet_exit(0);
}

static long covet_now(void)
{
    long time[2] = { 0, 0 };
    covet_syscall(SYS_clock_gettime, 1L, time);
    return time[0] * 1000 + time[1] / 1000000;
}

/* Waits for the child; returns 0 and kills it when the time is up. */
static int covet_wait(int child, int *status)
{
    long end = covet_now() + COVET_MILLISECONDS;
    long nap[2] = { 0, 50000 };
    while (covet_syscall(SYS_wait4, (long)child, status, 1L, (void *)0) == 0) {
        if (covet_now() >= end) {
            covet_syscall(SYS_kill, (long)child, 9L);
            covet_syscall(SYS_wait4, (long)child, status, 0L, (void *)0);
            return 0;
        }
        covet_syscall(SYS_nanosleep, nap, (void *)0);
        if (nap[1] < 5000000)
            nap[1] += nap[1] / 2;
    }
    return 1;
}

static void covet_remove_folder(void)
{
    char entries[4096];
    long folder, size, at;
    if (!covet_report->has_folder)
        return;
    folder = covet_syscall(SYS_openat, -100L, covet_report->folder, 0L);
    while ((size = covet_syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (at = 0; at < size; at += *(unsigned short *)(entries + at + 16))
            covet_syscall(SYS_unlinkat, folder, entries + at + 19, 0L);
    covet_syscall(SYS_close, folder);
    covet_syscall(SYS_unlinkat, -100L, covet_report->folder, 0x200L);
}

static int covet_is_memory_fault(int signal)
{
    return signal == 11 || signal == 7; /* SIGSEGV, SIGBUS: which one depends on the layout */
}

/* Says in `got` how the child ended and whether that is what the test expects. */
static int covet_judge(const struct covet_test *test, int in_time, int status, char *expected, char *got)
{
    int signal = status & 0x7f, code = status >> 8 & 0xff;
    switch (test->expectation) {
    case COVET_RETURNS: covet_snprintf(expected, 160, "%s", covet_report->expected[0] ? covet_report->expected : "returned"); break;
    case COVET_EXITS: covet_snprintf(expected, 160, "exited with code %d", test->code); break;
    case COVET_DIES: covet_snprintf(expected, 160, "died of signal %d", test->code); break;
    case COVET_RUNS_ON: covet_snprintf(expected, 160, "still running after %d ms", COVET_MILLISECONDS); break;
    }
    if (covet_report->returned) {
        covet_snprintf(got, 160, "%s", covet_report->got[0] ? covet_report->got : "returned");
        return test->expectation == COVET_RETURNS && !covet_report->differs;
    }
    if (!in_time) {
        covet_snprintf(got, 160, "still running after %d ms", COVET_MILLISECONDS);
        return test->expectation == COVET_RUNS_ON;
    }
    if (signal != 0) {
        covet_snprintf(got, 160, "died of signal %d", signal);
        return test->expectation == COVET_DIES &&
               (signal == test->code || (covet_is_memory_fault(signal) && covet_is_memory_fault(test->code)));
    }
    covet_snprintf(got, 160, "exited with code %d", code);
    return test->expectation == COVET_EXITS && code == (test->code & 0xff);
}

static int covet_run(const struct covet_test *test)
{
    char line[512], expected[160], got[160];
    int status = 0, in_time, passed, child;
    __builtin_memset(covet_report, 0, sizeof *covet_report);
    child = covet_fork();
    if (child == 0)
        covet_run_child(test);
    in_time = covet_wait(child, &status);
    passed = covet_judge(test, in_time, status, expected, got);
    covet_remove_folder();
    if (passed)
        covet_snprintf(line, sizeof line, "ok   %s: %s\n", test->id, got);
    else
        covet_snprintf(line, sizeof line, "FAIL %s: expected %s, got %s\n", test->id, expected, got);
    covet_print(line);
    return passed;
}

static int covet_is_chosen(const char *id, int argc, char **argv)
{
    int i, any = 0;
    for (i = 1; i < argc; i++)
        if (argv[i][0] != '-') {
            any = 1;
            if (__builtin_strcmp(argv[i], id) == 0)
                return 1;
        }
    return !any;
}

static int covet_main(int argc, char **argv)
{
    unsigned i, run = 0, passed = 0;
    char line[96];
    int list = 0, j;
    for (j = 1; j < argc; j++) {
        if (__builtin_strcmp(argv[j], "--list") == 0) {
            list = 1;
        } else if (__builtin_strcmp(argv[j], "--output") == 0) {
            covet_keep_output = 1;
        } else if (argv[j][0] == '-') {
            covet_print("usage: tests [--list] [--output] [TEST...]\n");
            return 2;
        }
    }
    covet_report = (struct covet_report *)covet_syscall(SYS_mmap, (void *)0, sizeof *covet_report, 3L, 0x21L, -1L, 0L); /* shared */
    for (i = 0; i < sizeof covet_tests / sizeof covet_tests[0]; i++) {
        if (covet_tests[i].id == NULL || !covet_is_chosen(covet_tests[i].id, argc, argv))
            continue;
        if (list) {
            covet_snprintf(line, sizeof line, "%.90s\n", covet_tests[i].id);
            covet_print(line);
            continue;
        }
        run++;
        passed += (unsigned)covet_run(&covet_tests[i]);
    }
    if (list)
        return 0;
    covet_snprintf(line, sizeof line, "%u of %u passed\n", passed, run);
    covet_print(line);
    return passed == run && (run > 0 || argc == 1) ? 0 : 1;
}
