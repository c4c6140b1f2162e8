/* Marking input for Covet.
 *
 *     int x = covet_int("x");                     a fresh input of that name
 *     char line[16];
 *     covet_symbolic(line, sizeof line, "line");  every scalar of an object is input
 *     covet_assume(x > 0);                        runs that do not agree are not counted
 *     covet_assert(x != 7);                       a failure is a finding
 *
 * Outside Covet, link the file that a generated test comes with; it gives the recorded values. */
#ifndef COVET_H
#define COVET_H
#pragma GCC system_header
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void covet_symbolic(void *object, size_t size, const char *name);

char covet_char(const char *name);
signed char covet_schar(const char *name);
unsigned char covet_uchar(const char *name);
short covet_short(const char *name);
unsigned short covet_ushort(const char *name);
int covet_int(const char *name);
unsigned covet_uint(const char *name);
long covet_long(const char *name);
unsigned long covet_ulong(const char *name);
long long covet_longlong(const char *name);
unsigned long long covet_ulonglong(const char *name);
float covet_float(const char *name);
double covet_double(const char *name);
bool covet_bool(const char *name);
size_t covet_size(const char *name);
int8_t covet_i8(const char *name);
uint8_t covet_u8(const char *name);
int16_t covet_i16(const char *name);
uint16_t covet_u16(const char *name);
int32_t covet_i32(const char *name);
uint32_t covet_u32(const char *name);
int64_t covet_i64(const char *name);
uint64_t covet_u64(const char *name);
/* From `from` up to, but not including, `below`. */
int covet_range(int from, int below, const char *name);

void covet_assume(int holds);
__attribute__((noreturn)) void covet_fail(const char *text, const char *file, unsigned line, const char *function);
#define covet_assert(condition) \
    ((condition) ? (void)0 : covet_fail(#condition, __FILE__, __LINE__, __func__))
#ifdef __cplusplus
}
#endif
#endif
