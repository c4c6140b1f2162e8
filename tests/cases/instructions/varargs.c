// Variadic calls: every class of argument, walked by va_arg and by a copy.
// covet: cover % --function total
#include <stdarg.h>

static long sum(const char *kinds, ...)
{
    va_list values, again;
    long result = 0;
    va_start(values, kinds);
    va_copy(again, values);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': result += va_arg(values, int); break;
        case 'l': result += va_arg(values, long); break;
        case 'd': result += va_arg(values, double) > 2.5 ? 1000 : 0; break;
        default: result += *va_arg(values, char *); break;
        }
    if (va_arg(again, int) == 5)
        result++;
    va_end(again);
    va_end(values);
    return result;
}

int total(int a, long b, double c, char d)
{
    char text[2] = {d, 0};
    if (sum("ildsiiiil", a, b, c, text, 1, 2, 3, 4, b) == 1100)
        return a == 5 ? 1 : 2;
    return 0;
}
