// A variable of the program that the code asks for on the way may be what it is asked to be; one that it takes as it is may not.
// covet: hunt % --filter off --no-official --function take --function jump
struct header { unsigned size, kind; };
static struct header current;
static int wide;
static unsigned char room[16];

int take(const unsigned char *from, unsigned length)
{
    unsigned at = 0;
    if (current.size == 0xffffffff || wide)
        at = length > 3 ? from[3] : 0;
    return room[at & 31];
}

static int step;

int jump(int by)
{
    return room[(by & 7) + step];
}

void begin(const unsigned char *from)
{
    current.size = from[0] << 24;
    current.kind = from[4];
    wide = from[5] == 7;
    step = 1;
}
