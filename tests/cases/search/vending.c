// A state machine: coins in, goods out. The last branch needs the right sequence of four events.
// covet: cover % --function vend --strategy auto --iterations 1500
enum event { NICKEL, DIME, QUARTER, SELECT, CANCEL };

int vend(const unsigned char events[4])
{
    int credit = 0, sold = 0, cancelled = 0;
    for (int i = 0; i < 4; i++)
        switch (events[i]) {
        case NICKEL: credit += 5; break;
        case DIME: credit += 10; break;
        case QUARTER: credit += 25; break;
        case SELECT:
            if (credit >= 60) {
                sold++;
                credit -= 60;
            }
            break;
        case CANCEL:
            if (credit > 0)
                cancelled++;
            credit = 0;
            break;
        default: return -1;
        }
    if (sold == 1 && credit == 15)
        return 1;
    if (cancelled == 2)
        return 2;
    return 0;
}
