inline int plain_inline(int x) { return x + 1; }
static inline int static_inline(int x) { return x + 2; }
inline int given_elsewhere(int x) { return x + 3; }
extern inline __attribute__((gnu_inline)) int only_inline(int x) { return x + 4; }
