// A member that only gets certain values has those; one that gets anything, and that nobody checks, may have any; one that is set elsewhere too.
// covet: hunt % --filter off --no-official --function by_mode --function by_width --function by_depth --function by_ready
// covet: show invariants %
struct image { int mode, width, depth, ready; };
static const int table[3] = { 1, 2, 3 };

void set_mode(struct image *image, int grey) { image->mode = grey ? 1 : 2; }
void set_first(struct image *image) { image->mode = 1; }
void set_width(struct image *image, const unsigned char *header) { image->width = header[0] + header[1] * 256; }
int set_depth(struct image *image, int depth)
{
    image->depth = depth;
    if (image->depth == 0)
        return -1;
    return 0;
}
void reset(struct image *image) { image->ready = 0; }
void start(struct image *image) { image->ready = 1; }

int by_mode(struct image *image) { return table[image->mode]; }
int by_width(struct image *image) { return 1000 / image->width; }
int by_depth(struct image *image) { return 1000 / image->depth; }
int by_ready(struct image *image) { return 1000 / image->ready; }
