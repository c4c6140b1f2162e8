// Dates: leap years, lengths of months, the next day.
// covet: cover % --function next_day --strategy random-branch --iterations 400
struct date { int day, month, year; };

static int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int next_day(struct date d)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (d.year < 1583 || d.year > 3000 || d.month < 1 || d.month > 12)
        return -1;
    int length = lengths[d.month - 1];
    if (d.month == 2 && is_leap(d.year))
        length = 29;
    if (d.day < 1 || d.day > length)
        return -2;
    d.day++;
    if (d.day > length) {
        d.day = 1;
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    if (d.day == 1 && d.month == 3 && length == 29)
        return 1;
    return 0;
}
