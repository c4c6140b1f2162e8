// Signed and unsigned bit-fields, packed beside each other, read and written.
// covet: cover % --function fields
struct packet {
    unsigned kind : 3;
    int delta : 5;
    unsigned long length : 37;
    _Bool last : 1;
    unsigned : 0;
    unsigned check : 7;
};

int fields(struct packet p)
{
    if (p.delta == -16)
        return 1;
    if (p.kind == 6 && p.last)
        return 2;
    if (p.length == 0x1000000001ul)
        return 3;
    p.check += 100; /* wraps at 128 */
    if (p.check == 5)
        return 4;
    p.delta = p.delta * 3; /* cut to five bits, sign kept */
    if (p.delta == -13)
        return 5;
    return 0;
}
