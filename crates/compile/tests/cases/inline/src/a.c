#include "shared.h"
int a(int x) { return plain_inline(x) + static_inline(x) + given_elsewhere(x); }
