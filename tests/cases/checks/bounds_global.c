// Two tables side by side: the index is right for the other one.
// covet: cover % --function look
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static int seen[32];
int look(int month, int day) {
    if (day < 1 || day > 31 || month < 1 || month > 12) return 0;
    seen[day]++;
    return days[month];
}
// covet: show trace % --set arg.month=4 --set arg.day=5
// covet: show path % --set arg.month=4 --set arg.day=5
