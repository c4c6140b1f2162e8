// A ring buffer of bytes. The seeded bug takes the end for the start one step too late.
// covet: cover % --function put --function get
// covet: cover % --function put --function get -- -DBUG
#include <covet.h>

#define ROOM 5

struct ring {
    unsigned char bytes[ROOM];
    unsigned start, count;
};

static void is_sane(const struct ring *ring)
{
    covet_assume(ring != 0);
    covet_assume(ring->start < ROOM);
    covet_assume(ring->count <= ROOM);
}

int put(struct ring *ring, unsigned char byte)
{
    is_sane(ring);
    if (ring->count == ROOM)
        return -1;
    unsigned end = ring->start + ring->count;
#ifdef BUG
    if (end > ROOM)
#else
    if (end >= ROOM)
#endif
        end -= ROOM;
    ring->bytes[end] = byte;
    ring->count++;
    return (int)ring->count;
}

int get(struct ring *ring)
{
    is_sane(ring);
    if (ring->count == 0)
        return -1;
    int byte = ring->bytes[ring->start];
    ring->start = (ring->start + 1) % ROOM;
    ring->count--;
    return byte;
}
