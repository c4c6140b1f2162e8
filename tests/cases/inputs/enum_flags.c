// Enum parameters combined as flags.
// covet: cover % --function allowed
enum right { READ = 1, WRITE = 2, RUN = 4, ALL = READ | WRITE | RUN };

int allowed(enum right has, enum right wants, int user)
{
    if ((has & wants) == wants && wants == ALL)
        return 1;
    if ((has ^ wants) == (READ | RUN) && user == 0)
        return 2;
    if (!(has & ~WRITE) && has)
        return 3;
    return 0;
}
