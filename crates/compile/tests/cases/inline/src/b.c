#include "shared.h"
extern inline int given_elsewhere(int x);
int b(int x) { return plain_inline(x) + static_inline(x) + only_inline(x); }
