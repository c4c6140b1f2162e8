// The same with a look at the length first.
// covet: cover % --function kind
int kind(const unsigned char *data, unsigned long len)
{
    if (len == 0 || !data)
        return -1;
    if (data[0] == 0x7f)
        return 1;
    return len > 4 && data[4] == 2;
}
