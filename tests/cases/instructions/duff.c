// Duff's device: a switch into the middle of a loop. It has no default, and none of its values is left out.
// covet: cover % --function copy
int copy(const unsigned char in[6], unsigned count)
{
    if (count == 0 || count > 6)
        return -1;
    unsigned char out[6] = {0};
    unsigned char *to = out;
    const unsigned char *from = in;
    unsigned n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
    if (out[4] == 9 && out[5] == 0)
        return 1;
    return count == 3 && out[2] == 200 ? 2 : 0;
}
