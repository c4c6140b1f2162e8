// A program: its argument reaches the mistake in `place` from main.
// covet: hunt %
#include <stdio.h>
#include <string.h>

static char grid[4];

static void place(int at, char what)
{
    grid[at] = what;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strncmp(argv[1], "at=", 3) != 0)
        return 1;
    place(argv[1][3] - '0', 'x');
    return 0;
}
