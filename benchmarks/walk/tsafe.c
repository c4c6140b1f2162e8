/* Two functions of an air-traffic tool: the distance of two turning aeroplanes, and the bank angle of a turn.
 *
 * Two branches cannot be taken: no heading is beyond 2 PI. It is PI / 2 - atan2(..), at most 3 PI / 2; a negative one becomes at most
 * 2 PI when 360 degrees are added, because 360 * degree == 2 * PI in doubles and rounding keeps the order; NaN is beyond nothing. */
#include <covet.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

double conflict(double psi1, double vA, double vC, double xC0, double yC0, double psiC, double bank) {
    const double degree = PI / 180.0, g = 68443.0, sC = 1.0, dmst = 2.0;
    double dmin = 999.0;
    double psiA = psi1 * degree;
    double sA;
    if (psiA < 0.0)
        sA = -1.0;
    else
        sA = 1.0;
    double rA = pow(vA, 2.0) / tan(bank * degree) / g;
    double rC = pow(vC, 2.0) / tan(bank * degree) / g;
    double t1 = fabs(psiA) * rA / vA;
    double dpsiC = sC * t1 * vC / rC;
    double xA = sA * rA * (1.0 - cos(psiA));
    double yA = rA * sA * sin(psiA);
    double xC = xC0 + sC * rC * (cos(psiC) - cos(psiC + dpsiC));
    double yC = yC0 - sC * rC * (sin(psiC) - sin(psiC + dpsiC));
    double d = sqrt(pow(xC - xA, 2.0) + pow(yC - yA, 2.0));
    if (d < dmin)
        dmin = d;
    if (dmin < dmst)
        return dmin;
    return dmst;
}

static double normalised(double angle) {
    if (angle < -PI)
        return angle + 2.0 * PI;
    if (angle > PI)
        return angle - 2.0 * PI;
    return angle;
}

double turn(double x0, double y0, double gspeed, double x1, double y1, double x2, double y2, double dt) {
    const double degree = PI / 180.0;
    double dx = x0 - x1, dy = y0 - y1;
    if (dx == 0.0 && dy == 0.0)
        return 0.0;
    double heading = 90.0 * degree - atan2(dy, dx);
    if (heading < 0.0)
        heading += 360.0 * degree;
    if (heading > 2.0 * PI) /* never */
        heading -= 360.0 * degree;
    dx = x1 - x2;
    dy = y1 - y2;
    if (dx == 0.0 && dy == 0.0)
        return 0.0;
    double before = 90.0 * degree - atan2(dy, dx);
    if (before < 0.0)
        before += 360.0 * degree;
    if (before > 2.0 * PI) /* never */
        before -= 360.0 * degree;
    double change = normalised(heading - before);
    return atan2(change * gspeed, 32.0 * dt) / degree;
}

int main(void) {
    double in[8];
    covet_symbolic(in, sizeof in, "in");
    if (covet_bool("turning"))
        return turn(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]) > 0.0;
    return conflict(in[0], in[1], in[2], in[3], in[4], in[5], in[6]) > 0.0;
}
