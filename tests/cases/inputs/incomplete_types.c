// covet: cover % --function f
/* Types that are only declared, behind pointers. */
enum later *kind;
const struct never *thing;

int f(enum later *k, const struct never *n, int x)
{
    return k == 0 && n == 0 && x > 3;
}
