// Formulas as people write them: distances on the globe, roots of a quadratic, compound interest, a small network.
// covet: cover % --function zone --function roots --function interest --function fires -- -lm
#include <math.h>

static double haversine(double lat1, double lon1, double lat2, double lon2) {
    const double radius = 6371.0, degree = 3.14159265358979323846 / 180.0;
    double north = sin((lat2 - lat1) * degree / 2), east = sin((lon2 - lon1) * degree / 2);
    return 2 * radius * asin(sqrt(north * north + cos(lat1 * degree) * cos(lat2 * degree) * east * east));
}

int zone(double lat1, double lon1, double lat2, double lon2) {
    if (fabs(lat1) > 90 || fabs(lat2) > 90 || fabs(lon1) > 180 || fabs(lon2) > 180)
        return -1;
    double distance = haversine(lat1, lon1, lat2, lon2);
    if (distance < 1)
        return 0;
    if (distance > 20000)
        return 2;
    if (distance > 5000 && distance < 5000.5)
        return 3;
    return 1;
}

int roots(double a, double b, double c) {
    if (a == 0)
        return b == 0 ? 0 : 1;
    double discriminant = b * b - 4 * a * c;
    if (discriminant < 0)
        return 0;
    if (discriminant == 0)
        return 1;
    if ((-b + sqrt(discriminant)) / (2 * a) == 3 && (-b - sqrt(discriminant)) / (2 * a) == -2)
        return 42;
    return 2;
}

int interest(double capital, double rate, int years) {
    if (!(capital > 0) || !(rate >= 0 && rate <= 1) || years < 1 || years > 50)
        return -1;
    double total = capital * pow(1 + rate, years);
    if (total > 1e6 && capital < 1000)
        return 1;
    if (total > 2 * capital && years < 5)
        return 2;
    return 0;
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

int fires(double a, double b) {
    double either = sigmoid(20 * a + 20 * b - 10), not_both = sigmoid(30 - 20 * a - 20 * b);
    double out = sigmoid(20 * either + 20 * not_both - 30);
    if (out > 0.9)
        return 1;
    if (out > 0.45 && out < 0.55)
        return 2;
    return 0;
}
