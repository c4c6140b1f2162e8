/* The interface of CREST, understood by Covet: `CREST_int(x)` makes the variable `x` input, under its own name. */
#ifndef LIBCREST_CREST_H__
#define LIBCREST_CREST_H__
#pragma GCC system_header
#ifdef __cplusplus
extern "C" {
#endif
void __Crest_char(char *to, const char *name);
void __Crest_schar(signed char *to, const char *name);
void __Crest_uchar(unsigned char *to, const char *name);
void __Crest_short(short *to, const char *name);
void __Crest_ushort(unsigned short *to, const char *name);
void __Crest_int(int *to, const char *name);
void __Crest_uint(unsigned int *to, const char *name);
void __Crest_long(long *to, const char *name);
void __Crest_ulong(unsigned long *to, const char *name);
void __Crest_longlong(long long *to, const char *name);
void __Crest_ulonglong(unsigned long long *to, const char *name);
void __Crest_float(float *to, const char *name);
void __Crest_double(double *to, const char *name);
void __Crest_bool(_Bool *to, const char *name);
void __Crest_longdouble(long double *to, const char *name);
void __Crest_pointer(void **to, const char *name);

/* A second argument, a string, names the input; without it the input is called like the variable. */
#define COVET_CREST_NAME(name, ...) name
#define COVET_CREST(function, x, ...) function(&(x), COVET_CREST_NAME(__VA_ARGS__))
#define CREST_char(x, ...) COVET_CREST(__Crest_char, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_signed_char(x, ...) COVET_CREST(__Crest_schar, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned_char(x, ...) COVET_CREST(__Crest_uchar, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_short(x, ...) COVET_CREST(__Crest_short, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned_short(x, ...) COVET_CREST(__Crest_ushort, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_int(x, ...) COVET_CREST(__Crest_int, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned_int(x, ...) COVET_CREST(__Crest_uint, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned(x, ...) COVET_CREST(__Crest_uint, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_long(x, ...) COVET_CREST(__Crest_long, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned_long(x, ...) COVET_CREST(__Crest_ulong, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_longlong(x, ...) COVET_CREST(__Crest_longlong, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned_longlong(x, ...) COVET_CREST(__Crest_ulonglong, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_long_long(x, ...) COVET_CREST(__Crest_longlong, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_unsigned_long_long(x, ...) COVET_CREST(__Crest_ulonglong, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_float(x, ...) COVET_CREST(__Crest_float, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_double(x, ...) COVET_CREST(__Crest_double, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_bool(x, ...) COVET_CREST(__Crest_bool, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_longdouble(x, ...) COVET_CREST(__Crest_longdouble, x, __VA_ARGS__ __VA_OPT__(,) #x)
#define CREST_long_double(x, ...) COVET_CREST(__Crest_longdouble, x, __VA_ARGS__ __VA_OPT__(,) #x)

/* Prints: the original logs an expression, here it has no effect. */
#define CREST_log(x) ((void)(x))
#define CREST_assume(condition) covet_assume((condition) != 0)
void covet_assume(int holds);
#ifdef __cplusplus
}
#endif
#endif
