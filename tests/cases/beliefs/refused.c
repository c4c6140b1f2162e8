// A program that never asks whether there was memory does not believe that it runs out: such an alarm is latent.
// covet: hunt % --function copy
#include <stdlib.h>
#include <string.h>

char *copy(const char *text)
{
    char *made = malloc(strlen(text) + 1);
    return strcpy(made, text);
}

int *zero(void)
{
    int *made = malloc(sizeof *made);
    *made = 0;
    return made;
}
