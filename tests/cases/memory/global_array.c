// Global tables: constant ones, and one the run changes first.
// covet: cover % --function global
static const unsigned short primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
static unsigned char permutation[16] = {9, 4, 15, 2, 11, 0, 13, 6, 3, 8, 1, 14, 7, 12, 5, 10};

int global(unsigned char a, unsigned char b)
{
    a &= 15;
    b &= 15;
    if (primes[a] * primes[b] == 1763)
        return a < b ? 1 : 2;
    if (permutation[permutation[permutation[a]]] == 6)
        return 3;
    permutation[b]++;
    if (permutation[a] == 16)
        return 4;
    return 0;
}
