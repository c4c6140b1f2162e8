#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { double x, y; } point;
struct frozen { const int fixed; char text[12]; };
union any { int i; double d; char bytes[12]; };
struct flags { unsigned ready : 1; int level : 5; };
enum sign { NEGATIVE = -1, ZERO, POSITIVE };
typedef float quad __attribute__((vector_size(16)));

int add(int a, int b) { return a + b; }
uint8_t narrow(uint8_t a, int16_t b, bool c) { return (uint8_t)(a + b + c); }
static long hidden(const char *text) { long n = 0; while (text[n]) n++; return n; }
point middle(point a, const point *b) { return (point){(a.x + b->x) / 2, (a.y + b->y) / 2}; }
struct frozen freeze(int fixed) { return (struct frozen){fixed, "text"}; }
union any by_union(union any u) { u.i++; return u; }
int by_flags(struct flags f) { return f.ready ? f.level : -1; }
enum sign sign_of(enum sign s) { return (enum sign)-s; }
double _Complex turn(double _Complex z) { return z * I; }
long double precise(long double x, float y) { return x + y; }
__int128 wide(__int128 x) { return x * x; }
int first(int n, int m[n][n]) { return m[1][1]; }
int apply(int (*f)(int, int), int x) { return f(x, x); }
int (*pick(void))(int, int) { return add; }
int total(int count, ...) {
    __builtin_va_list rest;
    int sum = 0;
    __builtin_va_start(rest, count);
    for (int i = 0; i < count; i++) sum += __builtin_va_arg(rest, int);
    __builtin_va_end(rest);
    return sum;
}
int old_style(a, b, c) char a; float b; short c; { return a + (int)b + c; }
int no_arguments() { return 7; }
void store(int *where, int what) { *where = what; }
quad scale(quad q, float by) { return q * by; }
_BitInt(40) odd(_BitInt(40) x) { return x + 1; }
int uses_list(const char *format, va_list list) { char text[32]; return vsnprintf(text, sizeof text, format, list); }
_Atomic int counter;
int bump(_Atomic int *c) { return ++*c; }
const char *const constant(void) { return "constant"; }
int restricted(const int *restrict a, volatile int *b) { return *a + *b; }
int main(int argc, char **argv) { return argv ? argc + (int)hidden("ab") : -1; }
