/* Calls of `function` go to `by` from now on, in this process: its first instruction becomes a jump. Compile without optimisation, or
 * the compiler may have put the function where it is called. */
extern int covtest_mprotect(void *, unsigned long, int) __asm__("mprotect");
extern int covtest_page_size(void) __asm__("getpagesize");

COVTEST_UNUSED static void covtest_replace(void *function, void *by)
{
    long distance = (char *)by - (char *)function, page = covtest_page_size();
    char *start = (char *)((unsigned long)function & ~(unsigned long)(page - 1));
    char *end = (char *)function + 5;
    if (covtest_mprotect(start, end - start, 1 | 2 | 4) != 0)
        covtest_exit(125);
#if defined(__x86_64__)
    int relative = (int)(distance - 5);
    *(unsigned char *)function = 0xe9;
    __builtin_memcpy((char *)function + 1, &relative, sizeof relative);
#elif defined(__aarch64__)
    *(unsigned *)function = 0x14000000u | ((unsigned)(distance / 4) & 0x03ffffffu);
#else
#error "functions cannot be replaced on this machine"
#endif
    __builtin___clear_cache((char *)function, end);
}

