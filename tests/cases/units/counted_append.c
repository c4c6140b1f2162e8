// covet: cover % --function append
// `n` bounds how much is copied, and is no length of `to`: with none of it there is still something to read.
char *append(char *to, const char *from, unsigned long n) {
    char *start = to;
    char c = 0;
    while (*to)
        to++;
    while (n > 0) {
        c = *from++;
        *to++ = c;
        if (c == 0)
            return start;
        n--;
    }
    if (c != 0)
        *to = 0;
    return start;
}
