/* Running statistics over a sorted list; the driver adds the same value four times and asks for median and deviation. It is called
 * twice: what a call leaves behind is there in the next.
 *
 * Two branches cannot be taken: a place that is not negative is that of an element, so it is below the size, and never the size.
 * An exhaustive `covet run` reached neither; it left a question about the deviation open, so this is an argument, not a proof. */
#include <covet.h>
#include <math.h>

enum { CAPACITY = 8 };

static int values[CAPACITY];
static int size;
static double sum, sum_of_squares, mean, deviation;

/* The place of a value, or -(place to insert) - 1. */
static int place_of(int value) {
    int low = 0, high = size - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else if (values[middle] > value)
            high = middle - 1;
        else
            return middle;
    }
    return -low - 1;
}

static void insert(int at, int value) {
    for (int i = size; i > at; i--)
        values[i] = values[i - 1];
    values[at] = value;
    size++;
}

static void add(int value) {
    int at = place_of(value);
    if (at >= 0 && at < size)
        insert(at, value);
    else if (at == size || size == 0)
        insert(size, value);
    else
        insert(-at - 1, value);
    sum += value;
    sum_of_squares += (double)value * value;
    mean = sum / size;
    deviation = sqrt(sum_of_squares / size - mean * mean);
}

static int median(void) { return values[size / 2]; }

int statistics(int value) {
    int result = 0;
    for (int i = 0; i < 4; i++)
        add(value);
    if (median() == 3)
        result += 1;
    else
        result += 2;
    if (deviation <= 0.82915619758885)
        result += 4;
    else
        result += 8;
    return result;
}

int main(void) {
    statistics(covet_int("first"));
    return statistics(covet_int("second"));
}
