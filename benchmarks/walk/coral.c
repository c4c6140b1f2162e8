/* The benchmark functions of the CORAL constraint solver, as restated for the Concolic Walk: each has one condition and counts as
 * solved when its first return is reached. coral46 has no solution: it asks for x2 > 1 and x2 < 1. */
#include <math.h>

#define DEGREE 0.017453292519943295

int coral01(double x1, double x2) {
    if (sin(x1) + cos(x2) > 1.0)
        return 1;
    return 0;
}

int coral02(double x1, double x2) {
    if (sin(x1) - cos(x2) < 1e-10)
        return 1;
    return 0;
}

int coral03(double x1, double x2) {
    if (sin(x1) - cos(x2) == 0.0)
        return 1;
    return 0;
}

int coral04(double x1) {
    if (exp(x1) > 0.0)
        return 1;
    return 0;
}

int coral05(double x1, double x2, double x3) {
    if (sin(x1) + sin(x2) + sin(x3) == 4.0 * cos(x1) * cos(x2) * cos(x3))
        return 1;
    return 0;
}

int coral06(double x1, double x2, double x3) {
    if (cos(x1) + cos(x2) + cos(x3) > 4.0 * sin(x1 / 2.0) * sin(x2 / 2.0) * sin(x3 / 2.0))
        return 1;
    return 0;
}

int coral07(double x1, double x2, double x3, double x4) {
    if (sin(2.0 * x1 - x2) / (cos(2.0 * x2 + x2) + 1.0) == cos(2.0 * x3 + x1) / (sin(2.0 * x4 + x2) - 1.0))
        return 1;
    return 0;
}

int coral08(double x1, double x2, double x3) {
    if (cos(3.0 * x1 + 2.0 * x2 - x3) * sin(x3 + x1 + x2) == cos(x3 * x1 * x2))
        return 1;
    return 0;
}

int coral09(double x1, double x2) {
    if (sin(cos(x1 * x2)) < cos(sin(x1 * x2)))
        return 1;
    return 0;
}

int coral10(double x1, double x2, double x3) {
    if (sin(x1 * cos(x2 * sin(x3))) > cos(x1 * sin(x2 * cos(x3))))
        return 1;
    return 0;
}

int coral11(double x1, double x2, double x3, double x4) {
    if (asin(x1) < cos(x2) * cos(x3) - atan(x4))
        return 1;
    return 0;
}

int coral12(double x1, double x2, double x3, double x4) {
    if (asin(x1) * asin(x2) - 1.0 < atan(x3) * atan(x4))
        return 1;
    return 0;
}

int coral13(double x1, double x2, double x3, double x4) {
    if (sin(x2) * asin(x1) < cos(x2) * cos(x3) - atan(x4))
        return 1;
    return 0;
}

int coral14(double x1, double x2, double x3, double x4) {
    if (sin(x2) * asin(x1) - 300.0 < cos(x2) * cos(x3) - atan(x4))
        return 1;
    return 0;
}

int coral15(double x1, double x2, double x3, double x4) {
    if (asin(1.0) * asin(cos(9.0 * 57.0)) - 1.0 < atan(0.0) * atan(0.0))
        return 1;
    return 0;
}

int coral16(double x1, double x2, double x3, double x4, double x5) {
    if (tan(x4 - x1) * cos(sin(x4 / x5)) - atan(x2 + 20.0 + x3) + asin(x2 - 15.0) < sin(x4 * x4) * cos(x1 * x4 *
        x5) - tan(cos(x1 * x4 * x1)) + sin(x4))
        return 1;
    return 0;
}

int coral17(double x1) {
    if (asin(x1) * acos(x1) < atan(x1))
        return 1;
    return 0;
}

int coral18(double x1) {
    if (1.0 + acos(x1) < asin(x1))
        return 1;
    return 0;
}

int coral19(double x1, double x2, double x3) {
    if (3.0 * acos(x1) < atan(x2) + asin(x3))
        return 1;
    return 0;
}

int coral20(double x1, double x2) {
    if (sin(sin(x1 * x2)) < 0.0 && cos(2.0 * x1) > 0.25)
        return 1;
    return 0;
}

int coral21(double x1, double x2) {
    if (cos(x1 * x2) < 0.0 && sin(2.0 * x1) > 0.25)
        return 1;
    return 0;
}

int coral22(double x1, double x2, double x3, double x4, double x5, double x6, double x7) {
    if (sin(cos(x1 * x2)) < cos(sin(x2 * x3)) &&
        sin(x4 * 2.0 - x2) / (cos(x6 * 2.0 + x7) + 1.0) == cos(x3 * 2.0 + x1) / (sin(x4 * 2.0 + x5) + 1.0))
        return 1;
    return 0;
}

int coral23(double x1, double x2, double x3, double x4) {
    if (sin(2.0 * x1 - x2) / (cos(2.0 * x2 + x1) + 1.0) == cos(2.0 * x3 + x1) / (sin(2.0 * x4 + x2) - 1.0) &&
        sin(x1 * x2 * x3 * x4) > 0.0 && cos(x1 * x2 * x3 * x4) < 0.0)
        return 1;
    return 0;
}

int coral25(double x1, double x2, double x3, double x4, double x5) {
    if (sin(cos(x1 * x2)) < cos(sin(x1 * x3)) &&
        sin(2.0 * x4 - x2) / (cos(2.0 * x2 + x5) + 1.0) == cos(2.0 * x3 + x1) / (sin(2.0 * x4 + x5) - 1.0))
        return 1;
    return 0;
}

int coral26(double x1, double x2, double x3, double x4, double x5) {
    if (sin(cos(x1 * x2)) < cos(sin(x1 * x3)) &&
        sin(2.0 * x4 - x2) / (cos(2.0 * x2 + x5) + 1.0) == cos(2.0 * x3 + x1) / (sin(2.0 * x4 + x5) - 1.0) &&
        sin(x1 * x2 * x3 * x4) > 0.0 && cos(x1 * x2 * x3 * x4) < 0.0)
        return 1;
    return 0;
}

int coral27(double x1, double x2, double x3) {
    if (sin(x1 * cos(x2 * sin(x3))) > cos(x1 * sin(x2 * cos(x3))) && sin(cos(x1 * x2)) < cos(sin(x1 * x2)))
        return 1;
    return 0;
}

int coral29(double x1) {
    if (exp(x1) > 5.0)
        return 1;
    return 0;
}

int coral32(double x1) {
    if (sqrt(x1) > 5.0)
        return 1;
    return 0;
}

int coral33(double x1) {
    if (sqrt(sin(x1)) > sqrt(cos(x1)))
        return 1;
    return 0;
}

int coral34(double x1) {
    if (sqrt(sin(x1)) < sqrt(cos(x1)))
        return 1;
    return 0;
}

int coral35(double x1, double x2) {
    if (1.0 / sqrt(sin(x1)) > sqrt(cos(exp(x2))))
        return 1;
    return 0;
}

int coral38(double x1, double x2) {
    if (atan2(x1, x2) == 1.0)
        return 1;
    return 0;
}

int coral39(double x1, double x2) {
    if (pow(x1, x2) == 1.0)
        return 1;
    return 0;
}

int coral40(double x1, double x2) {
    if (pow(x1, 2.0) == x1 + x2)
        return 1;
    return 0;
}

int coral41(double x1, double x2) {
    if (pow(x1, 2.0) == x1 + x2 && x1 >= -1.0 && x2 <= 2.0)
        return 1;
    return 0;
}

int coral42(double x1, double x2) {
    if (pow(x1, x2) > pow(x2, x1) && x1 > 1.0 && x2 <= 10.0)
        return 1;
    return 0;
}

int coral43(double x1, double x2) {
    if (pow(x1, x2) > pow(x2, x1) && exp(x2) > exp(x1) && x2 < pow(x1, 2.0))
        return 1;
    return 0;
}

int coral44(double x1, double x2) {
    if (pow(x1, x2) > pow(x2, x1) && exp(x2) < exp(x1))
        return 1;
    return 0;
}

int coral45(double x1, double x2, double x3) {
    if (sqrt(exp(x1 + x2)) < pow(x3, x1) && x1 > 0.0 && x2 > 1.0 && x3 > 1.0 && x2 <= x1 + 2.0)
        return 1;
    return 0;
}

int coral46(double x1, double x2, double x3, double x4) {
    if (sqrt(pow(2.718281828459045, x1 + x3)) < pow(x3, x1) && x1 > 0.0 && x2 > 1.0 && x3 > 1.0 && x2 < 1.0 &&
        x2 < x1 + 2.0 && x4 == x1 + 2.0)
        return 1;
    return 0;
}

int coral47(double x1, double x2, double x3) {
    if (exp(x1 + x2) == exp(x3))
        return 1;
    return 0;
}

int coral48(double x1, double x2, double x3) {
    if (x1 + x2 != x3)
        return 1;
    return 0;
}

int coral49(double x1, double x2) {
    if (pow(x1, 2.0) + 3.0 * sqrt(x2) < x1 * x2 && x1 < pow(x2, 2.0) && x1 + x2 < 50.0)
        return 1;
    return 0;
}

int coral50(double x1, double x2) {
    if (pow(x1, 2.0) + 3.0 * sqrt(x2) < x1 * x2 && x1 < pow(x2, 2.0) && x1 + x2 < 50.0 && x1 == -13.0 + x2)
        return 1;
    return 0;
}

int coral52(double x1, double x2, double x3) {
    if (pow(x1, tan(x2)) + x3 < x1 * atan(x3) && sin(x2) + cos(x2) + tan(x2) >= x1 - x3)
        return 1;
    return 0;
}

int coral53(double x1, double x2, double x3) {
    if (pow(x1, tan(x2)) + x3 < x1 * atan(x3) && sin(x2) + cos(x2) + tan(x2) >= x1 - x3 && atan(x1) + atan(x2) > x2)
        return 1;
    return 0;
}

int coral56(double x1, double x2, double x3, double x4, double x5) {
    if (x1 * x2 + atan(x3) * sin(x4 * x5) > x1 / x2 + x3 + tan(x4 + x5))
        return 1;
    return 0;
}

int coral61(double x1, double x2, double x3, double x4) {
    if (x1 + x2 > x3 / x4 && sqrt(x1) > x3 / x2 && x3 * 2.0 + x4 * 3.0 + x1 * 7.0 < pow(x2, 6.0) &&
        x3 + x4 > x1 + x2 && x4 < x1 / x2)
        return 1;
    return 0;
}

int coral62(double x1, double x2, double x3, double x4) {
    if (x1 + x2 > x3 / x4 && sqrt(x1) > x3 / x2 && x3 * 2.0 + x4 * 3.0 + x1 * 7.0 < pow(x2, 6.0) &&
        x3 + x4 > x1 + x2 && x4 < x1 / x2 && x1 > x4 + x2 - x3)
        return 1;
    return 0;
}

int coral70(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8, double x9, double x10, double x11, double x12, double x13, double x14, double x15, double x16, double x17, double x18, double x19, double x20, double x21, double x22, double x23, double x24) {
    if (sin(x1) > sin(x2) && sin(x2) > sin(x3) && sin(x3) > sin(x4) && sin(x4) > sin(x5) && sin(x5) > sin(x6) &&
        sin(x6) > sin(x7) && sin(x7) > sin(x8) && sin(x8) > sin(x9) && sin(x9) > sin(x10) && sin(x10) > sin(x11) &&
        sin(x11) > sin(x12) && sin(x12) > sin(x13) && sin(x13) > sin(x14) && sin(x14) > sin(x15) &&
        sin(x15) > sin(x16) && sin(x16) > sin(x17) && sin(x17) > sin(x18) && sin(x18) > sin(x19) &&
        sin(x19) > sin(x20) && sin(x20) > sin(x21) && sin(x21) > sin(x22) && sin(x22) > sin(x23) &&
        sin(x23) > sin(x24))
        return 1;
    return 0;
}

int coral71(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8, double x9, double x10, double x11, double x12) {
    if (sin(x1) > sin(x2) && sin(x2) > sin(x3) && sin(x3) > sin(x4) && sin(x4) > sin(x5) && sin(x5) > sin(x6) &&
        sin(x6) > sin(x7) && sin(x7) > sin(x8) && sin(x8) > sin(x9) && sin(x9) > sin(x10) && sin(x10) > sin(x11) &&
        sin(x11) > sin(x12))
        return 1;
    return 0;
}

int coral72(double x1, double x2, double x3, double x4, double x5, double x6, double x7) {
    if (sin(x1) > sin(x2) && sin(x2) > sin(x3) && sin(x3) > sin(x4) && sin(x4) > sin(x5) && sin(x5) > sin(x6) &&
        sin(x6) > sin(x7))
        return 1;
    return 0;
}

int coral73(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8, double x9, double x10) {
    if (sin(x1) > sin(x2) && sin(x2) > sin(x3) && sin(x3) > sin(x4) && sin(x4) > sin(x5) && sin(x5) > sin(x6) &&
        sin(x6) > sin(x7) && sin(x7) > sin(x8) && sin(x8) > sin(x9) && sin(x9) > sin(x10))
        return 1;
    return 0;
}

int coral74(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8) {
    if (sin(x1) > sin(x2) && sin(x2) > sin(x3) && sin(x3) > sin(x4) && sin(x4) > sin(x5) && sin(x5) > sin(x6) &&
        sin(x6) > sin(x7) && sin(x7) > sin(x8))
        return 1;
    return 0;
}

int coral75(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8, double x9) {
    if (sin(x1) > sin(x2) && sin(x2) > sin(x3) && sin(x3) > sin(x4) && sin(x4) > sin(x5) && sin(x5) > sin(x6) &&
        sin(x6) > sin(x7) && sin(x7) > sin(x8) && sin(x8) > sin(x9))
        return 1;
    return 0;
}

int coral76(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8, double x9) {
    if (x1 > x2 && x2 > x3 && x3 > x4 && x4 > x5 && x5 > x6 && x6 > x7 && x7 > x8 && x8 > x9)
        return 1;
    return 0;
}

int coral77(double x1, double x2, double x3, double x4, double x5, double x6, double x7, double x8, double x9, double x10) {
    if (x1 > x2 && x2 > x3 && x3 > x4 && x4 > x5 && x5 > x6 && x6 > x7 && x7 > x8 && x8 > x9 && x9 > x10)
        return 1;
    return 0;
}

int coral78(double x1, double x2, double x3, double x4, double x5, int x6, int x7, int x8) {
    if (0.0 == pow(x1 * sin(x2 * DEGREE - x3 * DEGREE + pow(x4, 2.0) / (sin(x5 * DEGREE) / cos(x5 * DEGREE)) /
        68443.0 * 0.0 / x4 * (-1.0) * x1 / (pow(x1, 2.0) / (sin(x5 * DEGREE) / cos(x5 * DEGREE)) / 68443.0)) - x4 *
        0.0, 2.0) + pow(x1 * cos(x2 * DEGREE - x3 * DEGREE + pow(x4, 2.0) / (sin(x5 * DEGREE) / cos(x5 * DEGREE)) /
        68443.0 * 0.0 / x4 * (-1.0) * x1 / (pow(x1, 2.0) / (sin(x5 * DEGREE) / cos(x5 * DEGREE)) / 68443.0)) - x4 *
        1.0, 2.0) &&
        x6 != 0 && x8 != 0)
        return 1;
    return 0;
}

int coral79(double x1, double x2, double x3, double x4, int x5) {
    if (0.0 == pow(x1 * sin(DEGREE * x2 - DEGREE * x3) - 0.0 * x4, 2.0) + pow(x1 * cos(DEGREE * x2 - DEGREE * x3 +
        0.0), 2.0) &&
        x5 != 0)
        return 1;
    return 0;
}

int coral80(double x1, double x2) {
    if (1.5 - x1 * (1.0 - x2) == 0.0)
        return 1;
    return 0;
}

int coral81(double x1, double x2) {
    if (-13.0 + x1 + ((5.0 - x2) * x2 - 2.0) * x2 + (-29.0 + x1 + ((x2 + 1.0) * x2 - 14.0) * x2) == 0.0)
        return 1;
    return 0;
}

int coral82(double x1, double x2) {
    if (pow(10.0, 4.0) * x1 * x2 - 1.0 == 0.0 &&
        pow(2.718281828459045, -x1) + pow(2.718281828459045, -x2) - 1.0001 == 0.0)
        return 1;
    return 0;
}

int coral83(double x1, double x2) {
    if (pow(1.0 - x1, 2.0) + 100.0 * pow(x2 - x1 * x1, 2.0) == 0.0)
        return 1;
    return 0;
}

int coral84(double x1, double x2, double x3, double x4) {
    if (10.0 * (x2 - x1 * x1) == 0.0 && 1.0 - x1 == 0.0 && sqrt(90.0) * (x4 - x3 * x3) == 0.0 && 1.0 - x3 == 0.0 &&
        sqrt(10.0) * (x2 + x4 - 2.0) == 0.0 && pow(10.0, -0.5) * (x2 - x4) == 0.0)
        return 1;
    return 0;
}

int coral91(double x1, double x2) {
    if (sin(x1) == -sin(x2) && sin(x1) > 0.0)
        return 1;
    return 0;
}
