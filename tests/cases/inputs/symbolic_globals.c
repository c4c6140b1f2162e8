// Globals made symbolic on request, a file-static one and a struct among them; others keep their initial values.
// covet: cover % --function configured --globals initial --symbolic-global limit --symbolic-global settings --symbolic-global hidden
struct { int mode; char name[4]; } settings = {3, "abc"};
unsigned limit = 10;
static short hidden = 5;
int plain = 8;

int configured(int x)
{
    if (plain != 8)
        return -1; /* never: not symbolic */
    if (settings.mode == 17 && settings.name[2] == 'q')
        return 1;
    if (limit < 3)
        return 2;
    if (hidden + x == 99 && hidden == -1)
        return 3;
    return 0;
}
