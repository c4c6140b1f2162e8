/* ---- Running the tests: each in a process of its own, with limits --------------------------------------------------------- */

static int covtest_keep_output;
static int covtest_output = -1; /* what the test prints */

/* The first of what was printed; its size. */
static long covtest_printed(char *text, unsigned long size)
{
    long got = covtest_output < 0 ? 0 : covtest_syscall(SYS_pread64, (long)covtest_output, text, size, 0L);
    return got < 0 ? 0 : got;
}

static void covtest_judge_printed(void)
{
    static char text[8192];
    unsigned long size = covtest_report->printed_size, got = (unsigned long)covtest_printed(text, sizeof text), i = 0;
    char wanted[60], seen[60];
    if (!covtest_report->printed || covtest_keep_output || covtest_report->differs || size >= sizeof text)
        return;
    while (i < size && i < got && text[i] == covtest_report->printed[i])
        i++;
    if (i == size && (got == size || !covtest_report->printed_all))
        return;
    covtest_snprintf(wanted, sizeof wanted, "'%.20s' from byte %lu", covtest_report->printed + i, i);
    covtest_snprintf(seen, sizeof seen, "'%.*s'", (int)(got - i < 20 ? got - i : 20), text + i);
    covtest_fail("printed", wanted, seen);
}

static void covtest_limit(long resource, unsigned long soft)
{
    unsigned long limit[2];
    limit[0] = limit[1] = 0;
    covtest_syscall(SYS_prlimit64, 0L, resource, (void *)0, limit);
    limit[0] = soft < limit[1] ? soft : limit[1];
    covtest_syscall(SYS_prlimit64, 0L, resource, limit, (void *)0);
}

/* Bytes of addresses that the program has taken by now. */
static unsigned long covtest_addresses(void)
{
    char text[64];
    long file = covtest_syscall(SYS_openat, -100L, "/proc/self/statm", 0L), size, at;
    unsigned long pages = 0;
    if (file < 0)
        return 0;
    size = covtest_syscall(SYS_read, file, text, sizeof text);
    covtest_syscall(SYS_close, file);
    for (at = 0; at < size && text[at] >= '0' && text[at] <= '9'; at++)
        pages = pages * 10 + (unsigned long)(text[at] - '0');
    return pages * 4096;
}

#ifndef COVTEST_RECORD
#define covtest_fill_stack()
#endif

static void covtest_run_child(const struct covtest_test *test)
{
    if (covtest_report_to >= 0)
        covtest_syscall(SYS_close, (long)covtest_report_to);
    covtest_syscall(SYS_prctl, 1L, 9L); /* do not outlive the watcher */
    covtest_syscall(SYS_setpgid, 0L, 0L);
    covtest_enter_folder();
    covtest_limit(4, 0);                /* no core file */
    covtest_limit(3, COVTEST_STACK);     /* stack */
    covtest_limit(1, 64UL << 20);       /* file size */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_MEMORY__) && !defined(__SANITIZE_THREAD__)
    covtest_limit(9, covtest_addresses() + COVTEST_MEMORY); /* address space */
#endif
    if (!covtest_keep_output && covtest_output >= 0) {
        covtest_syscall(SYS_dup3, (long)covtest_output, 1L, 0L);
        covtest_syscall(SYS_dup3, 1L, 2L, 0L);
        covtest_syscall(SYS_close, (long)covtest_output);
    }
    covtest_stdin("", 0);
    covtest_watch_counted();
    covtest_confine();
    covtest_fill_stack();
    *covtest_errno() = 0;
    test->run();
    covtest_report->checked = 1;
    covtest_exit(covtest_report->leaves ? covtest_report->code : 0);
}

static long covtest_now(void)
{
    long time[2] = { 0, 0 };
    covtest_syscall(SYS_clock_gettime, 1L, time);
    return time[0] * 1000 + time[1] / 1000000;
}

/* Milliseconds that the child was ready to run but had to wait for a processor. */
static long covtest_starved(int child)
{
    char path[48], text[128];
    long file, size, at = 0, time = 0;
    covtest_snprintf(path, sizeof path, "/proc/%d/schedstat", child);
    file = covtest_syscall(SYS_openat, -100L, path, 0L);
    if (file < 0)
        return 0;
    size = covtest_syscall(SYS_read, file, text, sizeof text);
    covtest_syscall(SYS_close, file);
    while (at < size && text[at] != ' ')
        at++;
    for (at++; at < size && text[at] >= '0' && text[at] <= '9'; at++)
        time = time * 10 + (text[at] - '0');
    return time / 1000000;
}

/* On a busy machine a test may take longer, up to a bound. */
static int covtest_is_over(int child, long start)
{
    long elapsed = covtest_now() - start;
    return elapsed >= COVTEST_MILLISECONDS &&
           (elapsed - covtest_starved(child) >= COVTEST_MILLISECONDS || elapsed >= 6L * COVTEST_MILLISECONDS);
}

/* Waits for the child; returns 0 and kills it when the time is up. */
static int covtest_wait(int child, int *status)
{
    long start = covtest_now();
    long nap[2] = { 0, 50000 };
    while (covtest_syscall(SYS_wait4, (long)child, status, 1L, (void *)0) == 0) {
        if (covtest_is_over(child, start)) {
            covtest_syscall(SYS_kill, (long)child, 9L);
            covtest_syscall(SYS_wait4, (long)child, status, 0L, (void *)0);
            return 0;
        }
        covtest_syscall(SYS_nanosleep, nap, (void *)0);
        if (nap[1] < 5000000)
            nap[1] += nap[1] / 2;
    }
    return 1;
}

static int covtest_is_memory_fault(int signal)
{
    return signal == 11 || signal == 7; /* SIGSEGV, SIGBUS: which one depends on the layout */
}

static struct covtest_end covtest_expected(const struct covtest_test *test)
{
    struct covtest_end end;
    end.ending = test->expectation;
    end.code = test->code;
    end.value = covtest_report->expected; /* known when the test got as far as comparing */
    return end;
}

static struct covtest_end covtest_seen_end(const struct covtest_test *test, int in_time, int status)
{
    struct covtest_end end;
    int signal = status & 0x7f, code = status >> 8 & 0xff;
    int as_main_said = in_time && signal == 0 && code == (covtest_report->code & 0xff);
    if (covtest_report->leaves && (!as_main_said || test->expectation == COVTEST_EXITS))
        covtest_report->returned = 0; /* exit handlers have the last word */
    end.value = covtest_report->got;
    end.code = signal ? signal : code;
    /* The function came back, but what it left behind cannot be looked at. */
    if (covtest_report->returned && !covtest_report->checked && (signal || !in_time)) {
        covtest_report->differs = 1;
        covtest_snprintf(covtest_report->failed, sizeof covtest_report->failed, "the checks do not end: %s", signal ? "what they follow leads nowhere" : "they run on");
    }
    if (covtest_report->returned)
        end.ending = covtest_report->unassumed ? COVTEST_UNASSUMED : COVTEST_RETURNS;
    else
        end.ending = !in_time ? COVTEST_RUNS_ON : signal ? COVTEST_DIES : COVTEST_EXITS;
    return end;
}

/* Whether a test ended as it should have. */
static int covtest_judge(const struct covtest_test *test, const struct covtest_end *got)
{
    if (test->expectation == COVTEST_ANYTHING)
        return 1;
    /* What goes on for ever may be ended sooner where it has used up all it may write, or its time. */
    if (test->expectation == COVTEST_RUNS_ON && got->ending == COVTEST_DIES && (got->code == 24 || got->code == 25))
        return 1;
    if (test->expectation != got->ending)
        return 0;
    switch (got->ending) {
    case COVTEST_RETURNS: return !covtest_report->differs;
    case COVTEST_EXITS: return got->code == (test->code & 0xff) && !covtest_report->differs;
    case COVTEST_DIES:
        return test->code == 0 || got->code == test->code || (covtest_is_memory_fault(got->code) && covtest_is_memory_fault(test->code));
    case COVTEST_RUNS_ON: case COVTEST_ANYTHING: case COVTEST_UNASSUMED: break;
    }
    return 1;
}

static int covtest_run(const struct covtest_test *test)
{
    struct covtest_end expected, got;
    int status = 0, in_time, passed, child;
    __builtin_memset(covtest_report, 0, sizeof *covtest_report);
    covtest_output = (int)covtest_syscall(SYS_memfd_create, "output", 0L);
    covtest_begin_counted();
    child = covtest_fork();
    if (child == 0)
        covtest_run_child(test);
    in_time = covtest_wait(child, &status);
    covtest_syscall(SYS_kill, -(long)child, 9L); /* whoever it started */
    expected = covtest_expected(test);
    got = covtest_seen_end(test, in_time, status);
    covtest_judge_printed();
    passed = covtest_judge(test, &got);
    covtest_leave_folder();
    covtest_take_counted();
    covtest_print_result(test, passed, &expected, &got);
    covtest_syscall(SYS_close, (long)covtest_output);
    return passed;
}

static int covtest_is_chosen(const char *id, int argc, char **argv)
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

static int covtest_main(int argc, char **argv)
{
    unsigned i, run = 0, passed = 0;
    char line[96];
    int list = 0, j;
    for (j = 1; j < argc; j++) {
        if (__builtin_strcmp(argv[j], "--list") == 0) {
            list = 1;
        } else if (__builtin_strcmp(argv[j], "--output") == 0) {
            covtest_keep_output = 1;
        } else if (__builtin_strcmp(argv[j], "--unconfined") == 0) {
            covtest_unconfined = 1;
        } else if (__builtin_strncmp(argv[j], "--report=", 9) == 0 && argv[j][9] >= '0' && argv[j][9] <= '9' && !argv[j][10]) {
            covtest_report_to = argv[j][9] - '0';
#ifdef COVTEST_RECORD
        } else if (__builtin_strcmp(argv[j], "--otherwise") == 0) {
            covtest_otherwise = 1;
#endif
        } else if (argv[j][0] == '-') {
            covtest_print(1, "usage: tests [--list] [--output] [--unconfined] [--report=DESCRIPTOR] [TEST...]\n");
            return 2;
        }
    }
    covtest_report = (struct covtest_report *)covtest_syscall(SYS_mmap, (void *)0, sizeof *covtest_report, 3L, 0x21L, -1L, 0L); /* shared */
#ifdef COVTEST_RECORD
    covtest_observed = (struct covtest_observed *)covtest_syscall(SYS_mmap, (void *)0, sizeof *covtest_observed, 3L, 0x21L, -1L, 0L);
#endif
    for (i = 0; i < sizeof covtest_tests / sizeof covtest_tests[0]; i++) {
        if (covtest_tests[i].id == NULL || !covtest_is_chosen(covtest_tests[i].id, argc, argv))
            continue;
        if (list) {
            covtest_snprintf(line, sizeof line, "%.90s\n", covtest_tests[i].id);
            covtest_print(1, line);
            continue;
        }
        run++;
        passed += (unsigned)covtest_run(&covtest_tests[i]);
    }
    if (list)
        return 0;
    covtest_snprintf(line, sizeof line, "%u of %u passed\n", passed, run);
    covtest_print(1, line);
    return passed == run && (run > 0 || argc == 1) ? 0 : 1;
}
