// covet: cover % --iterations 1000
// A format of the program's own: its letters say what the variable arguments are, here and in what the list is handed to.
#include <stdarg.h>
#include <string.h>

struct item { int kind; const char *name; };

static int take_text(va_list *list)
{
    const char *text = va_arg(*list, const char *);
    if (!text)
        return -1;
    return strcmp(text, "yes") == 0 ? 10 : 1;
}

static int take(const char **format, va_list *list);

static int take_all(const char **format, va_list *list)
{
    int sum = 0;
    while (**format && **format != ']')
        sum += take(format, list);
    return sum;
}

static int take(const char **format, va_list *list)
{
    switch (*(*format)++) {
    case 's':
        return take_text(list);
    case 'i':
        return va_arg(*list, int) == 42 ? 20 : 2;
    case 'f':
        return va_arg(*list, double) > 0.5 ? 30 : 3;
    case 'o': {
        struct item *item = va_arg(*list, struct item *);
        return item && item->kind == 9 ? 40 : 4;
    }
    case '[':
        return take_all(format, list);
    default:
        return 0;
    }
}

int vpack(const char *format, va_list list)
{
    va_list copy;
    va_copy(copy, list);
    int sum = take_all(&format, &copy);
    va_end(copy);
    return sum;
}

int pack(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int sum = vpack(format, list);
    va_end(list);
    if (sum == 60)
        return 1;
    return 0;
}
