// A length of zero: there is no first element to look at.
// covet: cover % --function kind
int kind(const unsigned char *data, unsigned long len)
{
    if (data[0] == 0x7f)
        return 1;
    return len > 4 && data[4] == 2;
}
