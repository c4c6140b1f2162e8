// The prime factors of a number, with how often each divides it, by subtraction and comparison alone. One variable.

enum { LARGEST = 200, MOST = 9 };

struct factors {
    int prime[MOST], power[MOST], count;
};

/// The quotient, or 0 when the division leaves something over.
static int quotient(int n, int divisor)
{
    int times = 0;
    while (n >= divisor) {
        n = n - divisor;
        times++;
    }
    return n == 0 ? times : 0;
}

static void note(struct factors *found, int prime)
{
    if (found->count > 0 && found->prime[found->count - 1] == prime) {
        found->power[found->count - 1]++;
        return;
    }
    if (found->count == MOST)
        return; // never
    found->prime[found->count] = prime;
    found->power[found->count] = 1;
    found->count++;
}

int factor(int n)
{
    struct factors found = {.count = 0};
    if (n < 0)
        n = -n;
    if (n > LARGEST || n < 0)
        return -1;
    if (n < 2)
        return 0;
    int divisor = 2;
    while (n > 1) {
        if (divisor * divisor > n) {
            note(&found, n);
            break;
        }
        int q = quotient(n, divisor);
        if (q > 0) {
            note(&found, divisor);
            n = q;
        } else if (divisor == 2) {
            divisor = 3;
        } else {
            divisor = divisor + 2;
        }
    }
    int distinct = 0, repeated = 0;
    for (int i = 0; i < found.count; i++) {
        distinct++;
        if (found.power[i] > 1)
            repeated++;
    }
    if (distinct == 1 && repeated == 0)
        return 1; // prime
    if (repeated == 0)
        return 2; // square-free
    return distinct > 1 ? 3 : 4;
}
