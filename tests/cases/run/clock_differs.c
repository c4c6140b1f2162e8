// The explored program sees a clock of its own; the suite records what the plain program did, and counts the difference.
// covet: run % --stdin 1
#include <stdio.h>
#include <time.h>

int main(void)
{
    int late = time(NULL) > 1700000000 + 24 * 60 * 60;
    return getchar() == 'c' ? late : 5;
}
