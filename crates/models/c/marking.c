/* Markings: where a program asks for symbolic values.
 *
 * Turns the calls of `covet.h`, `klee/klee.h`, `crest.h`, `crown.h` and the verification tasks' `__VERIFIER_*` into
 * inputs of the run. Invariant: a value has the name the program gives it; one without a name is called after its type
 * (`nondet_int`). `covet_symbolic` and `klee_make_symbolic` are not here: the instrumenter knows the object's type and
 * calls the runtime itself. */
#ifndef COVET_NATIVE
#include "covet/model.h"
/* A definition; a use is MODEL. The native build makes definitions weak, so that a program's own come first. */
#define DEFINE(name) MODEL(name)
_Noreturn void __covet_libc___assert_fail(const char *text, const char *file, unsigned line, const char *function);
_Noreturn void __covet_libc_abort(void);
_Noreturn void __covet_libc__exit(int code);
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The numbers of abi::input::ValueKind. */
enum { SIGNED = 1, UNSIGNED = 2, FLOAT = 3, CHAR = 4, BOOL = 5, POINTER = 6 };

typedef void *address;
typedef char *text_address;

static uint64_t integer(uint32_t kind, size_t bytes, const char *name) {
    return __covet_input(kind, (uint32_t)bytes * 8, name);
}

static float float_value(const char *name) {
    uint32_t bits = (uint32_t)__covet_input(FLOAT, 32, name);
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_value(const char *name) {
    uint64_t bits = __covet_input(FLOAT, 64, name);
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static bool bool_value(const char *name) { return __covet_input(BOOL, 1, name) != 0; }

/* Every scalar type a marking may ask for: suffix of the function, C type, value. */
#define SCALARS(FOR)                                                                    \
    FOR(char, char, integer(CHAR, 1, name))                                             \
    FOR(schar, signed char, integer(SIGNED, 1, name))                                   \
    FOR(uchar, unsigned char, integer(UNSIGNED, 1, name))                               \
    FOR(short, short, integer(SIGNED, sizeof(short), name))                             \
    FOR(ushort, unsigned short, integer(UNSIGNED, sizeof(short), name))                 \
    FOR(int, int, integer(SIGNED, sizeof(int), name))                                   \
    FOR(uint, unsigned, integer(UNSIGNED, sizeof(int), name))                           \
    FOR(long, long, integer(SIGNED, sizeof(long), name))                                \
    FOR(ulong, unsigned long, integer(UNSIGNED, sizeof(long), name))                    \
    FOR(longlong, long long, integer(SIGNED, sizeof(long long), name))                  \
    FOR(ulonglong, unsigned long long, integer(UNSIGNED, sizeof(long long), name))      \
    FOR(float, float, float_value(name))                                                \
    FOR(double, double, double_value(name))                                             \
    FOR(bool, bool, bool_value(name))

/* covet.h: `covet_int("x")`. */
#define COVET(suffix, type, value) \
    type DEFINE(covet_##suffix)(const char *name) { return (type)(value); }
SCALARS(COVET)
COVET(size, size_t, integer(UNSIGNED, sizeof(size_t), name))
COVET(i8, int8_t, integer(SIGNED, 1, name))
COVET(u8, uint8_t, integer(UNSIGNED, 1, name))
COVET(i16, int16_t, integer(SIGNED, 2, name))
COVET(u16, uint16_t, integer(UNSIGNED, 2, name))
COVET(i32, int32_t, integer(SIGNED, 4, name))
COVET(u32, uint32_t, integer(UNSIGNED, 4, name))
COVET(i64, int64_t, integer(SIGNED, 8, name))
COVET(u64, uint64_t, integer(UNSIGNED, 8, name))

void DEFINE(covet_assume)(int holds) { __covet_assume(holds != 0); }

int DEFINE(covet_range)(int from, int below, const char *name) {
    int value = (int)integer(SIGNED, sizeof value, name);
    __covet_assume((value >= from) & (value < below));
    return value;
}

_Noreturn void DEFINE(covet_fail)(const char *text, const char *file, unsigned line, const char *function) {
    MODEL(__assert_fail)(text, file, line, function);
}

/* Verification tasks: `__VERIFIER_nondet_int()`. */
#define NONDET(suffix, type, value)                       \
    type DEFINE(__VERIFIER_nondet_##suffix)(void) {        \
        const char *name = "nondet_" #suffix;             \
        return (type)(value);                             \
    }
SCALARS(NONDET)
NONDET(_Bool, bool, bool_value(name))
NONDET(longdouble, long double, double_value(name))
NONDET(size_t, size_t, integer(UNSIGNED, sizeof(size_t), name))
NONDET(ssize_t, ssize_t, integer(SIGNED, sizeof(ssize_t), name))
NONDET(ptrdiff_t, ptrdiff_t, integer(SIGNED, sizeof(ptrdiff_t), name))
NONDET(loff_t, long, integer(SIGNED, 8, name))
NONDET(off_t, long, integer(SIGNED, 8, name))
NONDET(pointer, address, integer(POINTER, sizeof(void *), name))
NONDET(pchar, text_address, integer(POINTER, sizeof(char *), name))
NONDET(S8, signed char, integer(SIGNED, 1, name))
NONDET(U8, unsigned char, integer(UNSIGNED, 1, name))
NONDET(S16, short, integer(SIGNED, 2, name))
NONDET(U16, unsigned short, integer(UNSIGNED, 2, name))
NONDET(S32, int, integer(SIGNED, 4, name))
NONDET(U32, unsigned, integer(UNSIGNED, 4, name))
NONDET(S64, long, integer(SIGNED, 8, name))
NONDET(U64, unsigned long, integer(UNSIGNED, 8, name))
NONDET(s8, signed char, integer(SIGNED, 1, name))
NONDET(u8, unsigned char, integer(UNSIGNED, 1, name))
NONDET(s16, short, integer(SIGNED, 2, name))
NONDET(u16, unsigned short, integer(UNSIGNED, 2, name))
NONDET(s32, int, integer(SIGNED, 4, name))
NONDET(u32, unsigned, integer(UNSIGNED, 4, name))
NONDET(s64, long, integer(SIGNED, 8, name))
NONDET(u64, unsigned long, integer(UNSIGNED, 8, name))
NONDET(int8_t, int8_t, integer(SIGNED, 1, name))
NONDET(uint8_t, uint8_t, integer(UNSIGNED, 1, name))
NONDET(int16_t, int16_t, integer(SIGNED, 2, name))
NONDET(uint16_t, uint16_t, integer(UNSIGNED, 2, name))
NONDET(int32_t, int32_t, integer(SIGNED, 4, name))
NONDET(uint32_t, uint32_t, integer(UNSIGNED, 4, name))
NONDET(int64_t, int64_t, integer(SIGNED, 8, name))
NONDET(uint64_t, uint64_t, integer(UNSIGNED, 8, name))
NONDET(unsigned, unsigned, integer(UNSIGNED, 4, name))
NONDET(unsigned_int, unsigned, integer(UNSIGNED, 4, name))
NONDET(unsigned_char, unsigned char, integer(UNSIGNED, 1, name))
NONDET(unsigned_short, unsigned short, integer(UNSIGNED, 2, name))
NONDET(unsigned_long, unsigned long, integer(UNSIGNED, 8, name))
NONDET(signed_char, signed char, integer(SIGNED, 1, name))
NONDET(sector_t, unsigned long, integer(UNSIGNED, 8, name))

/* The runtime wants bits; the instrumenter gives every byte of the object a name of its own. */
void DEFINE(__VERIFIER_nondet_memory)(void *start, size_t length) {
    __covet_make_symbolic(start, length, "nondet_memory", NULL, 0);
}

void DEFINE(__VERIFIER_assume)(int holds) { __covet_assume(holds != 0); }
void DEFINE(__VERIFIER_error)(void) { __covet_reach_error(); }
void DEFINE(reach_error)(void) { __covet_reach_error(); }
void DEFINE(__VERIFIER_assert)(int holds) {
    if (!holds) __covet_reach_error();
}
void DEFINE(__VERIFIER_atomic_begin)(void) {}
void DEFINE(__VERIFIER_atomic_end)(void) {}

/* klee/klee.h */
int DEFINE(klee_int)(const char *name) { return (int)integer(SIGNED, sizeof(int), name); }
int DEFINE(klee_range)(int from, int below, const char *name) { return MODEL(covet_range)(from, below, name); }
uintptr_t DEFINE(klee_choose)(uintptr_t below) {
    uintptr_t value = integer(UNSIGNED, sizeof value, "klee_choose");
    __covet_assume(value < below);
    return value;
}
void DEFINE(klee_assume)(uintptr_t holds) { __covet_assume(holds != 0); }
unsigned DEFINE(klee_is_symbolic)(uintptr_t value) { return __covet_is_symbolic(value); }
unsigned DEFINE(klee_is_replay)(void) { return 0; }
_Noreturn void DEFINE(klee_abort)(void) { MODEL(abort)(); }
_Noreturn void DEFINE(klee_silent_exit)(int code) { MODEL(_exit)(code); }
_Noreturn void DEFINE(klee_report_error)(const char *file, int line, const char *message, const char *suffix) {
    MODEL(__assert_fail)(message, file, (unsigned)line, suffix);
}
size_t DEFINE(klee_get_obj_size)(void *start) { return __covet_object_left(start); }
int DEFINE(klee_get_errno)(void) { return errno; }

/* A value without its expression, whatever else the run may still do with it. */
float DEFINE(klee_get_valuef)(float value) {
    __covet_forget((uint64_t)&value, sizeof value);
    return value;
}
double DEFINE(klee_get_valued)(double value) {
    __covet_forget((uint64_t)&value, sizeof value);
    return value;
}
long DEFINE(klee_get_valuel)(long value) { return concrete(value); }
long long DEFINE(klee_get_valuell)(long long value) { return concrete(value); }
int32_t DEFINE(klee_get_value_i32)(int32_t value) { return (int32_t)concrete(value); }
int64_t DEFINE(klee_get_value_i64)(int64_t value) { return concrete(value); }

/* Hints to another explorer: nothing to do here. */
void DEFINE(klee_prefer_cex)(void *object, uintptr_t condition) { (void)object, (void)condition; }
void DEFINE(klee_posix_prefer_cex)(void *object, uintptr_t condition) { (void)object, (void)condition; }
void DEFINE(klee_define_fixed_object)(void *start, size_t length) { __covet_register_object(start, length); }
void DEFINE(klee_mark_global)(void *object) { (void)object; }
void DEFINE(klee_check_memory_access)(const void *start, size_t length) { (void)start, (void)length; }
void DEFINE(klee_print_expr)(const char *message, ...) { (void)message; }
void DEFINE(klee_print_range)(const char *name, int value) { (void)name, (void)value; }
void DEFINE(klee_warning)(const char *message) { (void)message; }
void DEFINE(klee_warning_once)(const char *message) { (void)message; }
void DEFINE(klee_stack_trace)(void) {}
void DEFINE(klee_set_forking)(unsigned enable) { (void)enable; }
void DEFINE(klee_alias_function)(const char *name, const char *other) { (void)name, (void)other; }
void DEFINE(klee_open_merge)(void) {}
void DEFINE(klee_close_merge)(void) {}
void DEFINE(klee_merge)(void) {}

/* crest.h and crown.h: both pass where the value goes (or NULL) and its name; crown's form also gives the value back.
 * A name of "" stands for a value without one. */
#define INTO(suffix, type, value)                                               \
    void DEFINE(__Crest_##suffix)(type *to, const char *name) { *to = (type)(value); } \
    type DEFINE(__Crown_##suffix)(type *to, const char *name) {                  \
        type made;                                                              \
        if (!*name) name = "SYM_" #suffix;                                      \
        made = (type)(value);                                                   \
        if (to) *to = made;                                                     \
        return made;                                                            \
    }
SCALARS(INTO)
INTO(longdouble, long double, double_value(name))
INTO(pointer, address, integer(POINTER, sizeof(void *), name))

/* Programs that declare the functions of the original crest.h themselves. */
#define CREST(function, suffix, type, value) \
    void DEFINE(function)(type *to) {     \
        const char *name = #suffix;      \
        *to = (type)(value);             \
    }
CREST(__CrestUChar, crest_uchar, unsigned char, integer(UNSIGNED, 1, name))
CREST(__CrestUShort, crest_ushort, unsigned short, integer(UNSIGNED, 2, name))
CREST(__CrestUInt, crest_uint, unsigned, integer(UNSIGNED, 4, name))
CREST(__CrestChar, crest_char, char, integer(CHAR, 1, name))
CREST(__CrestShort, crest_short, short, integer(SIGNED, 2, name))
CREST(__CrestInt, crest_int, int, integer(SIGNED, 4, name))
