/* A software sine: the double is taken apart into its bits, reduced to a quarter turn, and put into a polynomial. */
#include <covet.h>
#include <math.h>
#include <stdint.h>

static double number_of(uint64_t bits) {
    union {
        uint64_t bits;
        double number;
    } same = {.bits = bits};
    return same.number;
}

static uint64_t bits_of(double number) {
    union {
        double number;
        uint64_t bits;
    } same = {.number = number};
    return same.bits;
}

/* The part of a number that the mask leaves: a tiny one, since the mask has 32 bits. */
static double upper(double v) { return number_of(bits_of(v) & 0xFC000000u); }

/* What a product lost by rounding. */
static double lost(double a, double b, double product) {
    double a_high = upper(a), a_low = a - a_high;
    double b_high = upper(b), b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

double sine(double x) {
    const double half_pi = number_of(0x3FF921FB54442D18u);
    const double half_pi_low = number_of(0x3C91A62633145C07u);
    const double half_pi_lowest = number_of(0xB91F1976B7ED8FBCu);
    const double two_over_pi = number_of(0x3FE45F306DC9C883u);
    uint64_t bits = bits_of(x);
    int sign = (int)(bits >> 63 & 1);
    int exponent = (int)(bits >> 52 & 0x7FF);
    int32_t low = (int32_t)(bits & 0xFFFFFFFFu);
    int32_t high = (int32_t)(bits >> 31 & 0xFFFFF);
    int negative = 0;

    if (exponent == 2047) {
        if (high > 0 || low > 0)
            return x;
        return NAN;
    }
    if (exponent == 0) {
        if (high > 0 || low > 0)
            return x - x * x;
        return x;
    }
    if (exponent <= 1023 - 52 - 2)
        return x;
    if (exponent <= 1023 - 52 / 4)
        return x * (1.0 - x * x / 6.0);

    if (sign == 1) {
        x = -x;
        negative = 1;
    }
    if (exponent < 1023) {
        /* less than one: no reduction */
    } else if (exponent <= 1023 + 52) {
        double turns = floor(x * two_over_pi + 0.5);
        int quarter = (int)(bits_of(turns + 4503599627370496.0) & 3);
        double product = turns * half_pi;
        double product_low = turns * half_pi_low;
        x = x - product;
        x = x - lost(turns, half_pi, product);
        x = x - product_low;
        x = x - lost(turns, half_pi_low, product_low);
        x = x - turns * half_pi_lowest;
        switch (quarter) {
        case 0:
            if (x < 0.0) {
                x = -x;
                if (negative == 1)
                    negative = 0;
                else
                    negative = 1;
            }
            break;
        case 1:
            if (x < 0.0)
                x = half_pi + x;
            else
                x = half_pi - x;
            break;
        case 2:
            if (x < 0.0) {
                x = -x;
            } else {
                if (negative == 1)
                    negative = 0;
                else
                    negative = 1;
            }
            break;
        default:
            if (negative == 1)
                negative = 0;
            else
                negative = 1;
            if (x < 0.0)
                x = half_pi + x;
            else
                x = half_pi - x;
            break;
        }
    } else {
        if (negative == 1)
            return -0.0;
        return 0.0;
    }

    x = x * two_over_pi;
    if (x > 1e-4) {
        double s = x * x;
        x = x * (((((((-0.64462136749e-9 * s + 0.5688203332688e-7) * s - 0.359880911703133e-5) * s +
                     0.16044116846982831e-3) * s - 0.468175413106023168e-2) * s + 0.7969262624561800806e-1) * s -
                  0.64596409750621907082) * s + 0.15707963267948963959e1);
    } else {
        x = x * half_pi;
    }
    if (negative == 1)
        x = -x;
    return x;
}

int main(void) { return sine(covet_double("x")) > 0.0; }
