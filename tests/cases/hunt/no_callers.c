// A function that nobody calls has nobody to promise anything.
// covet: hunt %
int alone(int x)
{
    return 5 / x;
}

static int called(int x)
{
    return 6 / x;
}

int main(void)
{
    return called(3);
}
