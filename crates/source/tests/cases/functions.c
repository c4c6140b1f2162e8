#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "included.h"

int plain(int a, unsigned char b) { return a + b; }
static long hidden(const char *text, size_t length) { return text ? (long)length : 0; }
static inline bool small(int8_t x) { return x < 3; }
int variadic(const char *format, ...) { return format != NULL; }
void takes_list(va_list list) { (void)list; }
int old_style(a, b, c) char a; float b; int *c; { return a + (int)b + *c; }
int nothing() { return 0; }
int really_nothing(void) { return 0; }
double sum(int n, double m[n][n]) { return n > 0 ? m[0][0] : 0; }
int fixed(const char text[10], int grid[3][4]) { return text[0] + grid[0][0]; }
int callback(int (*compare)(const void *, const void *), void visit(int)) { visit(1); return compare(0, 0); }
int (*chooser(int which))(int, char) { return 0; }
int renamed(int x) __asm__("other_symbol");
int renamed(int x) { return x; }
extern int elsewhere(struct opaque *handle, int);
int uses(struct opaque *handle) { return elsewhere(handle, 1) + from_header(2); }
__int128 wide(unsigned __int128 x, long double y, float z, _Complex double w) { return x + (int)y + (int)z; }
#define MAKE(name) int name(int x) { return x; }
MAKE(made_by_macro)
int sequence(int volatile *restrict p, int *const q) { return *p + *q; }
_Noreturn void stop(int code) { for (;;) (void)code; }
int main(int argc, char **argv) { return argc + (argv != NULL) + small(1) + (int)hidden("", 0); }
