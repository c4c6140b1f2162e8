/* Floats as their encodings: payloads of NaNs, the total order, canonical form. All of it is a matter of bits. */
#include "covet/model.h"
#include <math.h>

/* The family for floats of one width, whose fraction has `digits` bits. */
#define FAMILY(number, bits, signed_bits, digits, suffix)                                                            \
    static bits bits_of##suffix(number x) {                                                                          \
        bits result;                                                                                                 \
        __builtin_memcpy(&result, &x, sizeof result);                                                                \
        return result;                                                                                               \
    }                                                                                                                \
    static const bits sign##suffix = (bits)1 << (8 * sizeof(bits) - 1);                                              \
    static const bits quiet##suffix = (bits)1 << (digits - 1);                                                       \
    static const bits infinite##suffix = ((bits)1 << (8 * sizeof(bits) - 1)) - ((bits)1 << digits);                  \
    int MODEL(canonicalize##suffix)(number *to, const number *from) {                                                \
        bits b = bits_of##suffix(*from);                                                                             \
        b |= (bits)((b & ~sign##suffix) > infinite##suffix) << (digits - 1);                                         \
        __builtin_memcpy(to, &b, sizeof b);                                                                          \
        return 0;                                                                                                    \
    }                                                                                                                \
    number MODEL(getpayload##suffix)(const number *x) {                                                              \
        bits b = bits_of##suffix(*x);                                                                                \
        return (b & ~sign##suffix) > infinite##suffix ? (number)(b & (quiet##suffix - 1)) : (number)-1;              \
    }                                                                                                                \
    static int set_payload##suffix(number *x, number payload, number least, bits kind) {                             \
        bits b = 0;                                                                                                  \
        int fits = payload >= least && payload < (number)quiet##suffix && trunc(payload) == payload &&               \
                   bits_of##suffix(payload) != sign##suffix;                                                         \
        if (fits) b = (bits)payload | infinite##suffix | kind;                                                       \
        __builtin_memcpy(x, &b, sizeof b);                                                                           \
        return !fits;                                                                                                \
    }                                                                                                                \
    int MODEL(setpayload##suffix)(number *x, number payload) {                                                       \
        return set_payload##suffix(x, payload, 0, quiet##suffix);                                                    \
    }                                                                                                                \
    int MODEL(setpayloadsig##suffix)(number *x, number payload) { return set_payload##suffix(x, payload, 1, 0); }    \
    /* Negative encodings are ordered the other way round. */                                                        \
    int MODEL(totalorder##suffix)(const number *x, const number *y) {                                                \
        bits a = bits_of##suffix(*x), b = bits_of##suffix(*y);                                                       \
        a ^= ((bits)0 - (a >> (8 * sizeof a - 1))) & ~sign##suffix;                                                   \
        b ^= ((bits)0 - (b >> (8 * sizeof b - 1))) & ~sign##suffix;                                                   \
        return (signed_bits)a <= (signed_bits)b;                                                                     \
    }                                                                                                                \
    int MODEL(totalordermag##suffix)(const number *x, const number *y) {                                             \
        return (bits_of##suffix(*x) & ~sign##suffix) <= (bits_of##suffix(*y) & ~sign##suffix);                       \
    }

FAMILY(double, uint64_t, int64_t, 52, )
FAMILY(float, uint32_t, int32_t, 23, f)
