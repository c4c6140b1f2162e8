// A connection's states under symbolic flags.
// covet: cover % --function connection --strategy cfg --iterations 600
enum { CLOSED, LISTEN, RECEIVED, ESTABLISHED, WAIT };
enum { SYN = 1, ACK = 2, FIN = 4, RST = 8 };
int connection(const unsigned char flags[4])
{
    int state = LISTEN;
    for (int i = 0; i < 4; i++) {
        unsigned char f = flags[i];
        if (f & RST)
            return state == ESTABLISHED ? 1 : 2;
        switch (state) {
        case LISTEN:
            if (f == SYN)
                state = RECEIVED;
            break;
        case RECEIVED:
            if (f & ACK && !(f & SYN))
                state = ESTABLISHED;
            else if (f & FIN)
                state = CLOSED;
            break;
        case ESTABLISHED:
            if (f & FIN)
                state = WAIT;
            break;
        case WAIT:
            if (f == (ACK | FIN))
                state = CLOSED;
            break;
        case CLOSED: return 3;
        }
    }
    if (state == CLOSED)
        return 4;
    return state == WAIT ? 5 : 0;
}
