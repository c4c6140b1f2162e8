// A vending machine whose state is in globals. The seeded bug divides by a price that one sequence of events leaves at zero.
// covet: cover % --function session
// covet: cover % --function session -- -DBUG
enum state { IDLE, PAID, SERVICE };

static enum state state = IDLE;
static int credit;
static int price = 3;
static int sold;

static void event(char what)
{
    switch (state) {
    case IDLE:
        if (what == 'c') {
            credit++;
            state = PAID;
        } else if (what == 's') {
            state = SERVICE;
        }
        break;
    case PAID:
        if (what == 'c') {
            credit++;
        } else if (what == 'b') {
            sold += credit / price;
            credit %= price;
            state = IDLE;
        }
        break;
    case SERVICE:
#ifdef BUG
        if (what == '-')
            price--;
#else
        if (what == '-' && price > 1)
            price--;
#endif
        else if (what == 'x')
            state = IDLE;
        break;
    }
}

int session(const char events[7])
{
    for (int i = 0; i < 7; i++)
        event(events[i]);
    if (sold == 1 && credit == 1)
        return 1;
    return 0;
}
