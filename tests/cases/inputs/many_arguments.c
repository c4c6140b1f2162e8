// More parameters than registers.
// covet: cover % --function many
struct triple { long m, n, o; };

int many(int a, int b, int c, int d, int e, int f, int g, int h, double p, double q, double r, double s, double t, double u,
         double v, double w, double x, double y, struct triple z)
{
    if (g == 70 && h == 80)
        return 1;
    if (x == 9.5 && y == -0.5)
        return 2;
    if (z.o == 30 && z.m + z.n == 12)
        return 3;
    return a + b + c + d + e + f == 21 && p + q == 3.0 ? 4 : r + s + t + u + v + w > 1e9 ? 5 : 0;
}
