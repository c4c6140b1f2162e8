/* Memory that runs out.
 *
 * Turns the number of an allocation into an input, `os.allocation` for the first and `os.allocation-2` for the second, and into a decision: whether it fails.
 * The runtime asks for every allocation of the user's code in runs whose plan lets them fail. */
#include "covet/model.h"

/* The number of abi::input::ValueKind. */
enum { IS_TRUE_OR_NOT = 5 };

int __covet_refused(unsigned number) {
    char name[32] = "os.allocation", digits[12];
    size_t at = sizeof digits - 1;
    unsigned rest = number;
    digits[at] = 0;
    for (; rest; rest /= 10) digits[--at] = (char)('0' + rest % 10);
    if (number > 1) {
        digits[--at] = '-';
        __builtin_memcpy(name + 13, digits + at, sizeof digits - at);
    }
    if (!__covet_input(IS_TRUE_OR_NOT, 1, name)) return 0;
    errno = ENOMEM;
    return 1;
}
