/* Test functions of optimisation, as equations: Beale, Freudenstein and Roth, helical valley, Powell, Rosenbrock, Wood. Each counts as
 * solved when its first return is reached. */
#include <math.h>

static double theta(double a, double b) {
    const double pi = 3.14159265358979323846;
    if (a > 0.0)
        return atan(b / a) / (2.0 * pi);
    if (a < 0.0)
        return atan(b / a) / (2.0 * pi) + 0.5;
    return 0.0;
}

int beale(double x1, double x2) {
    if (1.5 - x1 * (1.0 - x2) == 0.0)
        return 1;
    return 0;
}

int freudenstein_roth(double x1, double x2) {
    if (-13.0 + x1 + ((5.0 - x2) * x2 - 2.0) * x2 + (-29.0 + x1 + ((x2 + 1.0) * x2 - 14.0) * x2) == 0.0)
        return 1;
    return 0;
}

int helical_valley(double x1, double x2, double x3) {
    if (10.0 * (x3 - 10.0 * theta(x1, x2)) == 0.0 && 10.0 * (sqrt(x1 * x1 + x2 * x2) - 1.0) == 0.0 && x3 == 0.0)
        return 1;
    return 0;
}

int powell(double x1, double x2) {
    if (pow(10.0, 4.0) * x1 * x2 - 1.0 == 0.0 &&
        pow(2.718281828459045, -x1) + pow(2.718281828459045, -x2) - 1.0001 == 0.0)
        return 1;
    return 0;
}

int rosenbrock(double x1, double x2) {
    if (pow(1.0 - x1, 2.0) + 100.0 * pow(x2 - x1 * x1, 2.0) == 0.0)
        return 1;
    return 0;
}

int wood(double x1, double x2, double x3, double x4) {
    if (10.0 * (x2 - x1 * x1) == 0.0 && 1.0 - x1 == 0.0 && sqrt(90.0) * (x4 - x3 * x3) == 0.0 && 1.0 - x3 == 0.0 &&
        sqrt(10.0) * (x2 + x4 - 2.0) == 0.0 && pow(10.0, -0.5) * (x2 - x4) == 0.0)
        return 1;
    return 0;
}
