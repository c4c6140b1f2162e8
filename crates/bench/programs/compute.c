/* Compute-heavy code on concrete data: hashing, sorting, a matrix product, recursion. argv[0] decides nothing; each part prints the
   nanoseconds of its best of several rounds, so that what else the machine does counts little. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t rotate(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static uint32_t hash(const unsigned char *bytes, int count) {
    uint32_t state[4] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au};
    for (int i = 0; i < count; i++) {
        state[0] += bytes[i];
        state[1] ^= rotate(state[0], 7);
        state[2] += state[1] * 2654435761u;
        state[3] ^= rotate(state[2], 13);
        state[0] += state[3];
    }
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}

static void sort(int *numbers, int count) {
    for (int i = 1; i < count; i++) {
        int moving = numbers[i], at = i - 1;
        while (at >= 0 && numbers[at] > moving) {
            numbers[at + 1] = numbers[at];
            at--;
        }
        numbers[at + 1] = moving;
    }
}

enum { SIDE = 64, BYTES = 1 << 16, NUMBERS = 2000 };
static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];

static void multiply(void) {
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double sum = 0;
            for (int k = 0; k < SIDE; k++) sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static unsigned char data[BYTES];
static int numbers[NUMBERS];
static uint32_t result;

static void part_hash(void) { result += hash(data, BYTES); }
static void part_sort(void) {
    for (int i = 0; i < NUMBERS; i++) numbers[i] = (i * 7919) % 2003;
    sort(numbers, NUMBERS);
    result += (uint32_t)numbers[17];
}
static void part_product(void) {
    multiply();
    result += (uint32_t)product[3][5];
}
static void part_recursion(void) { result += (uint32_t)fibonacci(22); }

static void measure(const char *name, void (*part)(void)) {
    uint64_t best = UINT64_MAX;
    for (int round = 0; round < 25; round++) {
        uint64_t start = now();
        part();
        uint64_t taken = now() - start;
        if (taken < best) best = taken;
    }
    printf("%s %llu\n", name, (unsigned long long)best);
}

int main(void) {
    for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(i * 7);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            left[i][j] = i + j;
            right[i][j] = i - j;
        }
    measure("hashing", part_hash);
    measure("sorting", part_sort);
    measure("product", part_product);
    measure("recursion", part_recursion);
    printf("result %u\n", result);
    return 0;
}
