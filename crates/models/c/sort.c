/* Sorting and searching with the program's own comparison.
 *
 * Turns an array into its sorted permutation by the same sequence of comparisons as glibc's merge sort (stable), so a
 * comparison that prints, counts or contradicts itself behaves as in the plain program. */
#include "covet/model.h"
#include <search.h>
#include <stdlib.h>

typedef int (*comparison)(const void *, const void *, void *);

struct sorting {
    comparison compare;
    void *context;
    size_t width;
    char *scratch;
};

static void merge(const struct sorting *by, char *base, size_t total, size_t left, size_t right) {
    char *a = base, *b = base + left * by->width, *out = by->scratch;
    while (left > 0 && right > 0) {
        if (by->compare(a, b, by->context) <= 0) {
            __builtin_memcpy(out, a, by->width);
            a += by->width;
            left--;
        } else {
            __builtin_memcpy(out, b, by->width);
            b += by->width;
            right--;
        }
        out += by->width;
    }
    if (left > 0) __builtin_memcpy(out, a, left * by->width);
    __builtin_memcpy(base, by->scratch, (total - right) * by->width);
}

static void sort(const struct sorting *by, char *base, size_t count) {
    size_t left = count / 2;
    if (count <= 1) return;
    sort(by, base, left);
    sort(by, base + left * by->width, count - left);
    merge(by, base, count, left, count - left);
}

void MODEL(qsort_r)(void *base, size_t count, size_t width, comparison compare, void *context) {
    struct sorting by = {compare, context, width, NULL};
    char small[1024];
    count = (size_t)settled((int64_t)count);
    by.scratch = count * width <= sizeof small ? small : __covet_heap_malloc(count * width);
    if (!by.scratch) return;
    sort(&by, base, count);
    if (by.scratch != small) MODEL(free)(by.scratch);
}

typedef int (*plain_comparison)(const void *, const void *);

static int without_context(const void *a, const void *b, void *compare) {
    return (*(plain_comparison *)compare)(a, b);
}

void MODEL(qsort)(void *base, size_t count, size_t width, plain_comparison compare) {
    MODEL(qsort_r)(base, count, width, without_context, &compare);
}

void *MODEL(bsearch)(const void *key, const void *base, size_t count, size_t width, plain_comparison compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)base + middle * width;
        int order = compare(key, at);
        if (order < 0) high = middle;
        else if (order > 0) low = middle + 1;
        else return (void *)at;
    }
    return NULL;
}

void *MODEL(lfind)(const void *key, const void *base, size_t *count, size_t width, plain_comparison compare) {
    const char *at = base;
    size_t i;
    for (i = 0; i < *count; i++, at += width)
        if (compare(key, at) == 0) return (void *)at;
    return NULL;
}

void *MODEL(lsearch)(const void *key, void *base, size_t *count, size_t width, plain_comparison compare) {
    void *found = MODEL(lfind)(key, base, count, width, compare);
    if (!found) {
        found = (char *)base + *count * width;
        __builtin_memcpy(found, key, width);
        ++*count;
    }
    return found;
}
