// A name that is the caller's empty buffer is a guess, whatever is done with it.
// covet: hunt % --filter off --no-official --function ask
int ask(char *buf, int size, const char *name)
{
    if (size > 0)
        buf[0] = '\0';
    return name[0] == 'x';
}
