/* The interface of CROWN, understood by Covet.
 *
 *     SYM_int(x);             makes the variable `x` input, under its own name
 *     SYM_int(x, "size");     under another name
 *     y = SYM_int();          gives a fresh value
 *     SYM_int2(x, 5);         as the first; the proposed first value is not used */
#ifndef LIBCROWN_CROWN_H__
#define LIBCROWN_CROWN_H__
#pragma GCC system_header
#ifdef __cplusplus
extern "C" {
#endif
char __Crown_char(char *to, const char *name);
signed char __Crown_schar(signed char *to, const char *name);
unsigned char __Crown_uchar(unsigned char *to, const char *name);
short __Crown_short(short *to, const char *name);
unsigned short __Crown_ushort(unsigned short *to, const char *name);
int __Crown_int(int *to, const char *name);
unsigned int __Crown_uint(unsigned int *to, const char *name);
long __Crown_long(long *to, const char *name);
unsigned long __Crown_ulong(unsigned long *to, const char *name);
long long __Crown_longlong(long long *to, const char *name);
unsigned long long __Crown_ulonglong(unsigned long long *to, const char *name);
float __Crown_float(float *to, const char *name);
double __Crown_double(double *to, const char *name);
_Bool __Crown_bool(_Bool *to, const char *name);
long double __Crown_longdouble(long double *to, const char *name);
void *__Crown_pointer(void **to, const char *name);

#define COVET_CROWN_FIRST(first, ...) first
#define COVET_CROWN_SECOND(first, second, ...) second
#define COVET_CROWN_TEXT_OF(text) #text
#define COVET_CROWN_TEXT(...) COVET_CROWN_TEXT_OF(__VA_ARGS__)
/* Where the value goes: NULL when no variable is given. */
#define COVET_CROWN_TO(...) COVET_CROWN_FIRST(__VA_OPT__(&(COVET_CROWN_FIRST(__VA_ARGS__, 0)),) 0, 0)
/* The second argument, or the first as text, or "". */
#define COVET_CROWN_NAME(x, ...) COVET_CROWN_FIRST(__VA_ARGS__ __VA_OPT__(,) #x, 0)
#define COVET_CROWN(function, ...) function(COVET_CROWN_TO(__VA_ARGS__), COVET_CROWN_NAME(__VA_ARGS__))
#define SYM_char(...) COVET_CROWN(__Crown_char, __VA_ARGS__)
#define SYM_signed_char(...) COVET_CROWN(__Crown_schar, __VA_ARGS__)
#define SYM_unsigned_char(...) COVET_CROWN(__Crown_uchar, __VA_ARGS__)
#define SYM_short(...) COVET_CROWN(__Crown_short, __VA_ARGS__)
#define SYM_unsigned_short(...) COVET_CROWN(__Crown_ushort, __VA_ARGS__)
#define SYM_int(...) COVET_CROWN(__Crown_int, __VA_ARGS__)
#define SYM_unsigned_int(...) COVET_CROWN(__Crown_uint, __VA_ARGS__)
#define SYM_unsigned(...) COVET_CROWN(__Crown_uint, __VA_ARGS__)
#define SYM_long(...) COVET_CROWN(__Crown_long, __VA_ARGS__)
#define SYM_unsigned_long(...) COVET_CROWN(__Crown_ulong, __VA_ARGS__)
#define SYM_longlong(...) COVET_CROWN(__Crown_longlong, __VA_ARGS__)
#define SYM_unsigned_longlong(...) COVET_CROWN(__Crown_ulonglong, __VA_ARGS__)
#define SYM_long_long(...) COVET_CROWN(__Crown_longlong, __VA_ARGS__)
#define SYM_unsigned_long_long(...) COVET_CROWN(__Crown_ulonglong, __VA_ARGS__)
#define SYM_float(...) COVET_CROWN(__Crown_float, __VA_ARGS__)
#define SYM_double(...) COVET_CROWN(__Crown_double, __VA_ARGS__)
#define SYM_bool(...) COVET_CROWN(__Crown_bool, __VA_ARGS__)
#define SYM_longdouble(...) COVET_CROWN(__Crown_longdouble, __VA_ARGS__)
#define SYM_long_double(...) COVET_CROWN(__Crown_longdouble, __VA_ARGS__)
#define SYM_pointer(...) COVET_CROWN(__Crown_pointer, __VA_ARGS__)
#define SYM_char2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_char, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_signed_char2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_schar, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned_char2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_uchar, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_short2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_short, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned_short2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_ushort, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_int2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_int, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned_int2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_uint, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_uint, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_long2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_long, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned_long2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_ulong, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_longlong2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_longlong, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned_longlong2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_ulonglong, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_long_long2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_longlong, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_unsigned_long_long2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_ulonglong, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_float2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_float, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_double2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_double, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_bool2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_bool, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_longdouble2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_longdouble, x __VA_OPT__(,) __VA_ARGS__))
#define SYM_long_double2(x, value, ...) ((void)(value), COVET_CROWN(__Crown_longdouble, x __VA_OPT__(,) __VA_ARGS__))

/* A bit-field has no address: the value is assigned. */
#define SYM_bitfield(x, ...) ((x) = __Crown_uint(0, COVET_CROWN_NAME(x __VA_OPT__(,) __VA_ARGS__)))
#define SYM_assume(condition) covet_assume((condition) != 0)
#define SYM_assert(condition) ((condition) ? (void)0 : covet_fail(#condition, __FILE__, __LINE__, __func__))
void covet_assume(int holds);
__attribute__((noreturn)) void covet_fail(const char *text, const char *file, unsigned line, const char *function);
#ifdef __cplusplus
}
#endif
#endif
