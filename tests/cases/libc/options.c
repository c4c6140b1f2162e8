// getopt_long over symbolic arguments.
// covet: run % --arg 9 --arg 4
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    static const struct option names[] = {{"level", 1, 0, 'l'}, {"verbose", 0, 0, 'v'}, {0, 0, 0, 0}};
    int c, level = 0, verbose = 0;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "l:v", names, 0)) != -1) {
        switch (c) {
        case 'l':
            level = atoi(optarg);
            break;
        case 'v':
            verbose++;
            break;
        default:
            return 2;
        }
    }
    if (level == 7)
        return 3;
    if (verbose && optind < argc && strcmp(argv[optind], "go") == 0)
        return 4;
    return 0;
}
