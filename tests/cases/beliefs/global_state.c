// A state that the program sets somewhere may be there; another one is a guess.
// covet: hunt % --filter off --no-official --function strict --function odd
static int mode;
static int level;

void be_strict(void) { mode = 2; }
void raise_level(int by) { level += by & 3; }

int strict(int number)
{
    if (mode == 2)
        return 100 / number;
    return 0;
}

int odd(int number)
{
    if (level == 1000)
        return 100 / number;
    return 0;
}
