/* The end of a run in a process that goes on.
 *
 * Turns the streams a run left open into closed ones, so that what they still hold in their buffers cannot turn up in
 * a file of a later run. Descriptors and getopt's variables are the runtime's to restore. */
#include "covet/files.h"

enum { TRACKED = 256 };
static FILE *opened[TRACKED];

void __covet_model_opened(FILE *file) {
    int i;
    for (i = 0; i < TRACKED; i++)
        if (!opened[i]) {
            opened[i] = file;
            return;
        }
}

void __covet_model_closed(FILE *file) {
    int i;
    for (i = 0; i < TRACKED; i++)
        if (opened[i] == file) opened[i] = NULL;
}

/* For the runtime: when a run has ended, before it closes descriptors and restores the program's variables. */
void __covet_end_run(void) {
    int i;
    for (i = 0; i < TRACKED; i++) {
        if (opened[i]) fclose(opened[i]);
        opened[i] = NULL;
    }
}
