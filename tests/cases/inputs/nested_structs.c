// Structs in structs with arrays in them, by value.
// covet: cover % --function nested
struct date { unsigned char day, month; short year; };
struct person {
    char initials[3];
    struct date born;
    struct { int height; float weight; } body;
    struct date visits[2];
};

int nested(struct person p)
{
    if (p.born.day == 29 && p.born.month == 2 && p.born.year % 4 != 0)
        return 1;
    if (p.initials[1] == 'Z' && p.body.height > 250)
        return 2;
    if (p.visits[1].year > p.visits[0].year && p.visits[0].year > 2000)
        return 3;
    if (p.body.weight > 80.5f && p.body.weight < 80.6f)
        return 4;
    return 0;
}
