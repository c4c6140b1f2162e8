// Each condition of a short circuit is a branch of its own; side effects happen only where C says.
// covet: cover % --function circuit
static int seen;
static int note(int value) { seen++; return value; }

int circuit(int a, int b, int c)
{
    seen = 0;
    int first = a > 10 && note(b == 3) && c < -5;
    if (first)
        return seen;
    if ((a == 1 || note(b)) && !(c == 9 || a + b == c))
        return seen == 1 ? 1 : 2;
    return (a, b++, b) == 100 ? 3 : 4;
}
