// A write far outside any object.
// covet: cover % --function poke
static int cell;

int poke(long offset)
{
    int *p = &cell;
    if (offset == 1l << 40)
        p += offset;
    *p = 5;
    return cell;
}
