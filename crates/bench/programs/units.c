/* Functions driven by the speed benchmark. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* A small function: what one run costs beside the function itself. */
int classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a + b <= c || a + c <= b || b + c <= a) return 1;
    if (a == b && b == c) return 4;
    return a == b || b == c || a == c ? 3 : 2;
}

/* 100,000 operations on symbolic data, none of which can be folded away, and a branch at the end. */
int churn(uint32_t x) {
    uint32_t y = x ^ 0x9e3779b9u;
    for (int i = 0; i < 20000; i++) {
        y += x;
        y ^= y >> 7;
        x = x * 5 + y;
    }
    return y > x;
}

int main(void) {
    uint64_t best = UINT64_MAX;
    int sum = 0;
    for (uint32_t round = 0; round < 200; round++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        sum += churn(round);
        clock_gettime(CLOCK_MONOTONIC, &b);
        uint64_t taken = (uint64_t)(b.tv_sec - a.tv_sec) * 1000000000u + (uint64_t)b.tv_nsec - (uint64_t)a.tv_nsec;
        if (taken < best) best = taken;
    }
    printf("churn %llu\nsum %d\n", (unsigned long long)best, sum);
    return 0;
}
