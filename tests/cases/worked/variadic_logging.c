// A log that formats into a fixed buffer. The seeded bug copies a string argument whatever its length.
// covet: cover % --function report
// covet: cover % --function report -- -DBUG
#include <stdarg.h>
#include <string.h>

static char line[12];

static size_t emit(size_t at, char c)
{
    if (at < sizeof line - 1)
        line[at++] = c;
    line[at] = 0;
    return at;
}

static int log_line(int level, const char *format, ...)
{
    va_list arguments;
    size_t at = 0;
    line[0] = 0;
    if (level < 1 || level > 3)
        return -1;
    va_start(arguments, format);
    for (; *format; format++) {
        if (*format != '%') {
            at = emit(at, *format);
            continue;
        }
        format++;
        if (*format == 's') {
            const char *text = va_arg(arguments, const char *);
#ifdef BUG
            strcpy(line + at, text);
            at += strlen(text);
#else
            for (; *text; text++)
                at = emit(at, *text);
#endif
        } else if (*format == 'd') {
            unsigned digit = (unsigned)va_arg(arguments, int);
            at = emit(at, digit < 10 ? (char)('0' + digit) : '?');
        } else {
            break;
        }
    }
    va_end(arguments);
    return (int)at;
}

int report(int level, int code, const char name[6])
{
    char copy[7];
    memcpy(copy, name, 6);
    copy[6] = 0;
    if (log_line(level, "%d: error %s", code, copy) < 0)
        return -1;
    if (line[0] == '7' && line[9] == '!')
        return 7;
    return 0;
}
