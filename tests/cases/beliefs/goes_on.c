// A number that only goes on from where it was is what its steps make of it; one that is read from a file may be anything.
// covet: hunt % --filter off --no-official --function next --function look
struct ring { int at; int items[8]; };
struct page { int entry; int entries[8]; };

int next(struct ring *ring)
{
    int item = ring->items[ring->at];
    ring->at = (ring->at + 1) & 7;
    return item;
}

void read_page(struct page *page, const unsigned char *bytes)
{
    page->entry = bytes[0] | bytes[1] << 8;
}

int look(struct page *page)
{
    return page->entries[page->entry];
}
