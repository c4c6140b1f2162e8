// A server that reads requests until there are none.
// promise: endless
// covet: run % --time 8 --stdin 24
// check: branches 12; no alarm timeout
#include <stdio.h>
#include <string.h>
static int logged_in, level;
static void serve(const char *line)
{
    if (strcmp(line, "login") == 0)
        logged_in = 1;
    else if (strcmp(line, "up") == 0 && logged_in)
        level++;
    else if (strcmp(line, "down") == 0 && level > 0)
        level--;
}
int main(void)
{
    char line[32];
    for (;;) {
        if (fgets(line, sizeof line, stdin)) {
            line[strcspn(line, "\n")] = 0;
            serve(line);
        } else {
            clearerr(stdin);
        }
    }
}
