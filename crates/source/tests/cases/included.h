struct opaque;
static inline int from_header(int x) { return x * 2; }
int declared_in_header(int);
