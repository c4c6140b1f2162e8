/* Collisions of a common hash function over (int, long, int): five variants with fewer and fewer free inputs. Each counts as
 * solved when its first return is reached. */
#include <stdint.h>

struct triple {
    int32_t x;
    int64_t y;
    int32_t z;
};

static int32_t hash_of(struct triple t) {
    uint64_t y = (uint64_t)t.y;
    uint32_t hash = (uint32_t)t.x;
    hash = hash * 31u + (uint32_t)(y ^ (y >> 32));
    hash = hash * 31u + (uint32_t)t.z;
    return (int32_t)hash;
}

static int64_t bits_of(double value) {
    union {
        double number;
        int64_t bits;
    } same = {.number = value};
    return same.bits;
}

int collide_all_free(int32_t x1, int64_t y1, int32_t z1, int32_t x2, int64_t y2, int32_t z2) {
    struct triple a = {x1, y1, z1}, b = {x2, y2, z2};
    if (hash_of(a) == hash_of(b))
        return 1;
    return 0;
}

int collide_first_fixed(int64_t y1, int32_t z1, int64_t y2, int32_t z2) {
    struct triple a = {1, y1, z1}, b = {2, y2, z2};
    if (hash_of(a) == hash_of(b))
        return 1;
    return 0;
}

int collide_middle_free(int64_t y1, int64_t y2) {
    struct triple a = {1234, y1, 3141}, b = {5678, y2, 3141};
    if (hash_of(a) == hash_of(b))
        return 1;
    return 0;
}

int collide_with_constant(int32_t x, int64_t y, int32_t z) {
    struct triple a = {1234, bits_of(3.14159E123), 3141}, b = {x, y, z};
    if (hash_of(a) == hash_of(b))
        return 1;
    return 0;
}

int collide_with_constant_last_free(int64_t y, int32_t z) {
    struct triple a = {1234, bits_of(3.14159E123), 3141}, b = {5678, y, z};
    if (hash_of(a) == hash_of(b))
        return 1;
    return 0;
}
