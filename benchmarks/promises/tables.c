// Large objects, each byte an input.
// promise: memory
// covet: cover % --function f --time 8 --memory 1500
// check: peak 1500
struct page {
    int cells[65536];
};
struct book {
    struct page pages[64];
};
int f(const struct book *book, unsigned at)
{
    if (at >= 64u * 65536u)
        return -1;
    int x = book->pages[at / 65536].cells[at % 65536];
    return x == 77 ? 1 : x < 0 ? 2 : 0;
}
