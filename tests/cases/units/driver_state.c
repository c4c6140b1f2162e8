// covet: cover %
// covet: cover % --globals initial
// A driver whose branches depend on its own state: what decisions read of it is input, from its initial value on.
enum state { OFF, INIT, READY, BUSY, FAULT };
struct regs { unsigned ctrl, status, data; };
static struct {
    enum state state;
    int retries;
    unsigned char last;
    struct regs *regs;
    int spare[100];
} dev;
static const int limits[3] = { 4, 8, 16 };

int dev_write(unsigned char byte)
{
    if (dev.state == OFF)
        return -1;
    if (dev.state == FAULT) {
        if (dev.retries > limits[1])
            return -2;
        dev.retries++;
        dev.state = INIT;
        return -3;
    }
    if (dev.regs == 0)
        return -4;
    if (dev.state == BUSY && (dev.regs->status & 0x80))
        return -5;
    if (dev.last == byte)
        return 1;
    dev.regs->data = byte;
    dev.last = byte;
    return 0;
}
