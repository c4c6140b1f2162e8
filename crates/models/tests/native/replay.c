/* The marking functions with recorded values, through every header. */
#include <assert.h>
#include <covet.h>
#include <crest.h>
#include <crown.h>
#include <klee/klee.h>
#include <string.h>

struct covet_value { const char *name; unsigned long long low, high; };
const struct covet_value covet_values[] = {
    {"x", 5, 0}, {"why", 0xfffffffd, 0}, {"z", 255, 0}, {"x#2", 7, 0}, {"named", 70, 0}, {"SYM_int", 71, 0},
    {"s.a", 72, 0}, {"x#3", 73, 0}, {"f", 0x3f800000, 0}, {"s.d.f", 5, 0}, {"s.0", 0xfffffff7, 0}, {"s.4", 0xfe, 0},
    {"s.8", 1ull << 40, 0}, {"buf[0]", 'a', 0}, {"buf[1]", 'b', 0}, {"buf[2]", 'c', 0}, {"buf[3]", 'd', 0},
    {"arr[0]", 1, 0}, {"arr[1]", 0xffff, 0}, {"arr[2]", 3, 0}, {"d", 0x4000000000000000, 0}, {"nondet_int", 11, 0},
    {"nondet_int#2", 0xffffffff, 0}, {"nondet_double", 0x3ff8000000000000, 0}, {"flag", 1, 0}, {"clash#w16.2", 9, 0},
    {"range", 4, 0}, {"wide", 0x1111111111111111, 0x2222222222222222},
};
const unsigned covet_value_count = sizeof covet_values / sizeof *covet_values;

int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
struct s { int a; char b; long c; struct { unsigned f : 3; } d; };

/* The program's own definition comes before the one that replay brings. */
static int own;
void reach_error(void) { own = 1; }

int main(int argc, char **argv) {
    int x, y;
    unsigned char z;
    struct s s;
    float f;
    double d;
    char buf[4];
    short arr[3];
    __int128 wide;
    if (argc > 1 && strcmp(argv[1], "assume") == 0) covet_assume(0);
    if (argc > 1) covet_assert(argc == 1);
    CREST_int(x);
    CREST_int(y, "why");
    CREST_unsigned_char(z);
    assert(x == 5 && y == -3 && z == 255);
    SYM_int(x);
    assert(x == 7);
    SYM_int(x, "named");
    assert(x == 70);
    y = SYM_int();
    SYM_int(s.a);
    SYM_int2(x, 5);
    SYM_float(f);
    SYM_bitfield(s.d.f);
    assert(y == 71 && s.a == 72 && x == 73 && f == 1.0f && s.d.f == 5);
    klee_make_symbolic(&s, sizeof s, "s");
    klee_make_symbolic(buf, sizeof buf, "buf");
    covet_symbolic(arr, sizeof arr, "arr");
    klee_make_symbolic(&d, sizeof d, "d");
    covet_symbolic(&wide, sizeof wide, "wide");
    assert(s.a == -9 && s.b == -2 && s.c == 1l << 40 && memcmp(buf, "abcd", 4) == 0);
    assert(arr[0] == 1 && arr[1] == -1 && arr[2] == 3 && d == 2.0);
    assert((unsigned long)wide == 0x1111111111111111 && (unsigned long)(wide >> 64) == 0x2222222222222222);
    assert(__VERIFIER_nondet_int() == 11 && __VERIFIER_nondet_int() == -1 && __VERIFIER_nondet_double() == 1.5);
    assert(covet_bool("flag") && covet_short("clash") == 9 && klee_range(0, 9, "range") == 4);
    assert(__VERIFIER_nondet_ulong() == 0 && !klee_is_symbolic((uintptr_t)x) && klee_get_value_i32(x) == x);
    __VERIFIER_assume(1);
    klee_assume(1);
    reach_error();
    assert(own);
    return 0;
}
