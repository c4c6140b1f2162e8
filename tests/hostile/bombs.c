/* What is used up, spoilt or held on to. */
int attack(int which);

int bombs(int x)
{
    static int table[4];
    switch (x) {
    case 3: return attack(3);
    case 4: return attack(4);
    case 5: return attack(5);
    case 6: return attack(6);
    case 7: return attack(7);
    case 15: return attack(15);
    default: return table[x & 7];
    }
}

int spoils(int x)
{
    switch (x) {
    case 8: return attack(8);
    case 9: return attack(9);
    case 10: return attack(10);
    case 11: return attack(11);
    case 12: return attack(12);
    case 13: return attack(13);
    case 14: return attack(14);
    default: return 0;
    }
}
