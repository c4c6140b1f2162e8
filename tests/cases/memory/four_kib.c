// Exactly the largest object with exact addresses.
// covet: cover % --function page
static unsigned char page_[4096];
int page(unsigned at, unsigned also)
{
    if (at >= 4096 || also >= 4096)
        return -1;
    page_[1234] = 77;
    page_[at] += 5;
    if (page_[also] == 82)
        return 1;
    return 0;
}
