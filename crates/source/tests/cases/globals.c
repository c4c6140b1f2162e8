#include <stdio.h>
int counter;
static int table[4] = {1, 2, 3, 4};
const char *const names[] = {"a", "b"};
extern int limit;
extern int later;
int later = 3;
_Thread_local int per_thread;
static struct { int mode; char *path; } config = {.mode = 1};
int bump(void) { static int calls; return counter++ + table[0] + limit + ++calls; }
