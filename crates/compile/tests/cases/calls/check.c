#include <assert.h>
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DRIVER(name) extern void __covet_driver_0_##name(void **, void *)
#define CALL(name, result, ...) __covet_driver_0_##name((void *[]){__VA_ARGS__}, result)

typedef struct { double x, y; } point;
struct frozen { int fixed; char text[12]; };
union any { int i; double d; char bytes[12]; };
typedef float quad __attribute__((vector_size(16)));
DRIVER(add); DRIVER(narrow); DRIVER(hidden); DRIVER(middle); DRIVER(freeze); DRIVER(by_union); DRIVER(by_flags);
DRIVER(sign_of); DRIVER(turn); DRIVER(precise); DRIVER(wide); DRIVER(first); DRIVER(apply); DRIVER(pick); DRIVER(total);
DRIVER(old_style); DRIVER(no_arguments); DRIVER(store); DRIVER(scale); DRIVER(odd); DRIVER(bump); DRIVER(constant);
DRIVER(restricted); DRIVER(main);

int main(void)
{
    int i, a = 3, b = 4;
    CALL(add, &i, &a, &b); assert(i == 7);
    uint8_t u = 250, n; int16_t s = 10; bool t = true;
    CALL(narrow, &n, &u, &s, &t); assert(n == 5);
    const char *text = "four"; long length;
    CALL(hidden, &length, &text); assert(length == 4);
    point p = {1, 2}, q = {3, 4}, *qp = &q, m;
    CALL(middle, &m, &p, &qp); assert(m.x == 2 && m.y == 3);
    struct frozen f;
    CALL(freeze, &f, &a); assert(f.fixed == 3 && strcmp(f.text, "text") == 0);
    union any any = {.i = 41}, other;
    CALL(by_union, &other, &any); assert(other.i == 42);
    struct { unsigned ready : 1; int level : 5; } flags = {1, -9};
    CALL(by_flags, &i, &flags); assert(i == -9);
    int sign = -1;
    CALL(sign_of, &i, &sign); assert(i == 1);
    double _Complex z = 1, w;
    CALL(turn, &w, &z); assert(cimag(w) == 1);
    long double precise = 1.5L, sum; float y = 2;
    CALL(precise, &sum, &precise, &y); assert(sum == 3.5L);
    __int128 wide = (__int128)1 << 60, square;
    CALL(wide, &square, &wide); assert(square == (__int128)1 << 120);
    int matrix[2][2] = {{1, 2}, {3, 4}}, *mp = matrix[0], two = 2;
    CALL(first, &i, &two, &mp); assert(i == 4);
    void *function;
    CALL(pick, &function, 0);
    CALL(apply, &i, &function, &a); assert(i == 6);
    /* Behind the named arguments: words, numbers, and what stands beyond them. */
    long words[8] = {5, 6, 7}; double numbers[8] = {0.5}; struct { unsigned long words[16]; } beyond = {{0}};
    CALL(total, &i, &a, &words[0], &words[1], &words[2], &words[3], &words[4], &words[5], &words[6], &words[7], &numbers[0],
         &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6], &numbers[7], &beyond);
    assert(i == 18);
    char c = 1; short h = 3;
    CALL(old_style, &i, &c, &y, &h); assert(i == 6);
    CALL(no_arguments, &i, 0); assert(i == 7);
    int *where = &i;
    CALL(store, 0, &where, &b); assert(i == 4);
    quad v = {1, 2, 3, 4}, scaled;
    CALL(scale, &scaled, &v, &y); assert(scaled[3] == 8);
    long long odd = (1LL << 39) - 2, next = 0;
    CALL(odd, &next, &odd); assert((next & 0xffffffffffLL) == (1LL << 39) - 1);
    CALL(bump, &i, &where); assert(i == 5);
    const char *constant;
    CALL(constant, &constant, 0); assert(strcmp(constant, "constant") == 0);
    int *ap = &a, *bp = &b;
    CALL(restricted, &i, &ap, &bp); assert(i == 7);
    char *arguments[] = {"x", 0}, **argv = arguments;
    CALL(main, &i, &a, &argv); assert(i == 5);
    return 0;
}
