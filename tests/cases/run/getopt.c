// Options through getopt.
// covet: run % --arg 3 --arg 3 --iterations 300
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int c, verbose = 0, level = 0;
    opterr = 0;
    while ((c = getopt(argc, argv, "vl:")) != -1)
        switch (c) {
        case 'v': verbose++; break;
        case 'l': level = atoi(optarg); break;
        default: return 1;
        }
    if (verbose == 2)
        return 2;
    if (level == 7)
        return verbose ? 3 : 4;
    return 0;
}
