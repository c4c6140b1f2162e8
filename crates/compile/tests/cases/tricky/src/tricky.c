#include <stdlib.h>
#include <string.h>
/* Macros that would change what a driver says. */
int shadowed(int x) { return x + 1; }
#define shadowed(x) ((x) + 100)
int renamed_later(int x) { return x + 2; }
#define renamed_later something_else
struct pair { int a, b; };
int sum(struct pair p) { return p.a + p.b; }
#define pair not_a_struct
#define void_result int
#define int long
#define struct union
#define __attribute__(x)
#undef int
#undef struct
#define typeof nonsense
/* Not callable from a driver, each for its own reason. */
int forbidden(int x) __attribute__((unavailable("never call this")));
#undef __attribute__
int really_forbidden(int x) __attribute__((unavailable("never call this")));
int really_forbidden(int x) { return x; }
struct { int inner; } global;
__typeof__(global) nameless(void) { return global; }
static int takes_local(struct local { int x; } l) { return l.x; }
int main() { return shadowed(1); }
/* No newline at the end, and a comment that goes on \ */
int last(void) { return 9; } // the end \
#define void oops