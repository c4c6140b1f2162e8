/* What is reached for in every build: worker, plain, sanitizers, coverage. */
int attack(int which);

int reaches(int x)
{
    static int table[4];
    if (x == 1000)
        return attack(0);
    if (x == 1001)
        return attack(1);
    if (x == 1002)
        return attack(2);
    return table[x & 7]; /* an alarm, so that there is a build with sanitizers */
}
