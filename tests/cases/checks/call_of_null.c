// Calls through NULL that look alike are told at their own lines, and by the function's pointer, not by another one that is NULL on the way.
// covet: hunt % --filter off --no-official --function report
struct sink { int (*put)(struct sink *, const char *, int); int count; };
static struct sink out;

int report(int kind, int *told)
{
    int length = 0;
    if (told)
        length = 1;
    switch (kind) {
    case 1:
        out.put(&out, "first", length);
        break;
    case 2:
        length++;
        out.put(&out, "second", length);
        break;
    case 3:
        out.put(&out, "third", length);
        break;
    }
    return length;
}

static int put(struct sink *sink, const char *text, int length)
{
    sink->count += length;
    return text[0];
}

void begin(void)
{
    out.put = put;
}
