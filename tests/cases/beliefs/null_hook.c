// A function that is called through a member without a look is believed to be there; one that is asked for may be missing.
// covet: hunt % --filter off --no-official --function drop --function report
struct hooks { void (*release)(void *); void (*log)(int); };
struct buffer { char *text; struct hooks hooks; };

void drop(struct buffer *buffer)
{
    buffer->hooks.release(buffer->text);
    buffer->text = 0;
}

void finish(struct buffer *buffer, int code)
{
    if (buffer->hooks.log)
        buffer->hooks.log(code);
}

void report(struct buffer *buffer, int code)
{
    if (code > 3)
        buffer->hooks.log(code);
}
