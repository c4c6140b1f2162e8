// A checksum that must come out right: solved through the table and the shifts.
// covet: cover % --function check
static unsigned char crc8(const unsigned char *data, int n)
{
    unsigned char crc = 0;
    for (int i = 0; i < n; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (0x07 & -(crc >> 7));
    }
    return crc;
}
int check(const unsigned char frame[4])
{
    if (frame[0] != 0x7e)
        return -1;
    if (crc8(frame + 1, 2) != frame[3])
        return -2;
    if (frame[1] == 0x11 && frame[2] > 0xf0)
        return 1;
    return 0;
}
