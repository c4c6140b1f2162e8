/* What a number of points is worth. The example of docs/walk.md; it forgets one case. */
int grade(int points, int of)
{
    if (points < 0 || points > of)
        return -1;
    int percent = points * 100 / of;
    if (percent >= 90)
        return 1;
    if (percent >= 50)
        return 2;
    return 5;
}
