/* The end of a run in a process that goes on.
 *
 * Turns what the run left open or changed in the library (descriptors, streams, getopt's variables) back into what the
 * next run expects. Invariant: only what the run itself opened is closed. */
#include "covet/files.h"
#include <getopt.h>
#include <stdio_ext.h>
#include <unistd.h>

enum { TRACKED_STREAMS = 256 };
static unsigned char opened[MODEL_DESCRIPTORS];
static FILE *opened_streams[TRACKED_STREAMS];

void __covet_model_opened(int descriptor) {
    if (descriptor >= 0 && descriptor < MODEL_DESCRIPTORS) opened[descriptor] = 1;
}

void __covet_model_closed(int descriptor) {
    if (descriptor >= 0 && descriptor < MODEL_DESCRIPTORS) opened[descriptor] = 0;
}

void __covet_model_opened_stream(FILE *file) {
    int i;
    for (i = 0; i < TRACKED_STREAMS; i++)
        if (!opened_streams[i]) {
            opened_streams[i] = file;
            return;
        }
}

void __covet_model_closed_stream(FILE *file) {
    int i;
    for (i = 0; i < TRACKED_STREAMS; i++)
        if (opened_streams[i] == file) opened_streams[i] = NULL;
}

/* The runtime calls this when a run has ended, before it restores the program's variables. */
void __covet_end_run(void) {
    int i;
    for (i = 0; i < TRACKED_STREAMS; i++) {
        if (opened_streams[i]) fclose(opened_streams[i]);
        opened_streams[i] = NULL;
    }
    for (i = 0; i < MODEL_DESCRIPTORS; i++) {
        if (opened[i]) close(i);
        opened[i] = 0;
    }
    for (i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0) dup2(open("/dev/null", O_RDWR), i);
    optind = 1;
    opterr = 1;
    optopt = '?';
    optarg = NULL;
}
