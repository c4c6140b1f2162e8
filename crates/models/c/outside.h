/* The system as a function that is explored by itself sees it. `outside.c` has the models' side, `surroundings.c` what is asked. */
#ifndef COVET_OUTSIDE_H
#define COVET_OUTSIDE_H
#include "covet/model.h"
#include <sys/stat.h>
#include <sys/types.h>

/* 1 when the system around the entry is input. */
int __covet_surrounded(void);
/* The run has opened this descriptor itself: it is the system's. Gives it back. */
int __covet_model_own(int descriptor);
/* Whether what the system says about a descriptor may be input. */
int __covet_model_is_outside(int descriptor);

/* Each gives 1, and a result, when the answer is input; 0 when the system is to be asked. `count` numbers calls of one name. */
int __covet_os_getenv(const char *name, char **result);
int __covet_os_read(const char *call, unsigned count, void *to, size_t most, ssize_t *result);
int __covet_os_open(unsigned count, int *is_there);
uint64_t __covet_os_contents(unsigned count, unsigned char *bytes, size_t room);
int __covet_os_stat(unsigned count, struct stat *to, int *result);
int __covet_os_ioctl(unsigned count, unsigned long request, void *to, int *result);
#endif
