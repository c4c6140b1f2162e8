#include "../near.h"
#include "here.h"
#ifndef AGAIN
const char *where(void) { return __FILE__; }
int line(void) { return __LINE__; }
int base(void) { return NEAR + HERE; }
#endif
#ifdef AGAIN
#define TWICE 2
int again(void) { return TWICE; }
#else
#define AGAIN
#include "main.c"
#endif
