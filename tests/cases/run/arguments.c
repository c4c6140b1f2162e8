// Command-line options as symbolic arguments.
// covet: run % --arg 2 --arg 3
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 9;
    if (strcmp(argv[1], "-v") == 0)
        return 1;
    if (argv[1][0] == '-' && argv[1][1] == 'n') {
        int n = 0;
        for (const char *p = argv[2]; *p; p++) {
            if (*p < '0' || *p > '9')
                return 2;
            n = n * 10 + *p - '0';
        }
        return n == 365 ? 3 : 4;
    }
    return 0;
}
