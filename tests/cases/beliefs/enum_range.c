// An enumeration has the values of its enumerators; flags have all their sums.
// covet: hunt % --filter off --no-official --function colour_name --function pick
enum colour { RED, GREEN, BLUE };
enum flags { BOLD = 1, ITALIC = 2, LARGE = 4 };
static const int names[3] = { 10, 20, 30 };
static const int styles[7] = { 0, 1, 2, 3, 4, 5, 6 };

int colour_name(enum colour colour) { return names[colour]; }
int pick(enum flags flags) { return styles[flags]; }
