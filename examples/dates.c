/* Dates as text and as day counts: branches, arrays, a struct behind a pointer. Try: covet cover examples/dates.c */
#include <stdbool.h>
#include <stddef.h>

struct date {
    int year;
    int month;
    int day;
};

enum weekday { MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY };

static const int days_before_month[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in_month(int year, int month)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return month >= 1 && month <= 12 ? 31 : 0;
    }
}

bool is_valid(const struct date *date)
{
    if (date == NULL || date->year < 1583 || date->year > 9999)
        return false;
    return date->day >= 1 && date->day <= days_in_month(date->year, date->month);
}

/* Reads exactly `digits` decimal digits; -1 when one of them is not a digit. */
static int read_number(const char *text, int digits)
{
    int number = 0;
    for (int i = 0; i < digits; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

/* Reads `YYYY-MM-DD` from ten characters. */
bool parse_date(const char text[10], struct date *date)
{
    if (text == NULL || date == NULL)
        return false;
    date->year = read_number(text, 4);
    date->month = text[4] == '-' ? read_number(text + 5, 2) : -1;
    date->day = text[7] == '-' ? read_number(text + 8, 2) : -1;
    return is_valid(date);
}

enum weekday weekday_of(struct date date)
{
    if (!is_valid(&date))
        return MONDAY;
    int years = date.year - 1;
    int days = years * 365 + years / 4 - years / 100 + years / 400;
    days += days_before_month[date.month - 1] + date.day - 1;
    if (date.month > 2 && is_leap(date.year))
        days++;
    return (enum weekday)(days % 7);
}

struct diary {
    int count;
    struct date entries[4];
};

/* How many entries of the diary fall on a Friday the 13th; -1 when it claims more than it can hold. */
int unlucky_days(const struct diary *diary)
{
    int unlucky = 0;
    if (diary == NULL || diary->count > 4)
        return -1;
    for (int i = 0; i < diary->count; i++)
        if (diary->entries[i].day == 13 && weekday_of(diary->entries[i]) == FRIDAY)
            unlucky++;
    return unlucky;
}
