// A device with registers and a state, asked for its next command for ever; an error is five commands deep.
// covet: run % --iterations 400
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static enum { CLOSED, OPEN, READY, BUSY, BROKEN } device = CLOSED;
static unsigned mask, pending, users;

static int open_device(void)
{
    if (device != CLOSED)
        return -1;
    device = OPEN;
    users++;
    return 0;
}

static int configure(unsigned value)
{
    if (device != OPEN)
        return -1;
    if (value & ~0xffu)
        return -2;
    mask = value;
    device = READY;
    return 0;
}

static int start(unsigned value)
{
    if (device == READY && (value & mask) == 0x42) {
        device = BUSY;
        pending = value;
        return 0;
    }
    return -1;
}

static int interrupt(void)
{
    if (device != BUSY)
        return -1;
    if (pending >> 8 == 3) {
        device = BROKEN;
        return 1;
    }
    device = READY;
    return 0;
}

int main(void)
{
    for (;;) {
        int command = __VERIFIER_nondet_int();
        int result = 0;
        if (command == 1)
            result = open_device();
        else if (command == 2)
            result = configure(__VERIFIER_nondet_uint());
        else if (command == 3)
            result = start(__VERIFIER_nondet_uint());
        else if (command == 4)
            result = interrupt();
        else if (command == 5 && device == BROKEN)
            reach_error();
        if (result == -2)
            device = CLOSED;
    }
}
