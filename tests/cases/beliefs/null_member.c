// A member may be NULL when somebody tests it, be it through a variable, but not when it is only tested where it was just set, or before it is freed.
// covet: hunt % --filter off --no-official --function use_title --function use_next --function use_buffer --function use_owner
// covet: show invariants %
#include <stdlib.h>

struct owner { int id; };
struct page {
    char *title;
    struct page *next;
    int *buffer;
    struct owner *owner;
};

int has_title(const struct page *page)
{
    return page->title != NULL;
}

int make(struct page *page, struct owner *owner)
{
    page->next = NULL;
    page->owner = owner;
    page->buffer = malloc(4 * sizeof *page->buffer);
    if (!page->buffer)
        return -1;
    return 0;
}

void drop(struct page *page)
{
    if (page->buffer)
        free(page->buffer);
    page->buffer = NULL;
}

int length(const struct page *page)
{
    int n = 0;
    for (; page; page = page->next)
        n++;
    return n;
}

int use_title(struct page *page) { return page->title[0]; }
int use_next(struct page *page) { return page->next->buffer == page->buffer; }
int use_buffer(struct page *page) { return page->buffer[0]; }
int use_owner(struct page *page) { return page->owner->id; }
