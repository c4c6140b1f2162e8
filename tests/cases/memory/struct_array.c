// An array of structs searched and updated through symbolic indices.
// covet: cover % --function account
struct account { short id; unsigned char kind; int balance; };

static struct account accounts[4] = {{101, 1, 500}, {205, 2, -30}, {77, 1, 0}, {999, 3, 12}};

int account(unsigned from, unsigned to, int amount)
{
    if (from > 3 || to > 3 || amount <= 0 || amount > 1000)
        return -1;
    if (accounts[from].balance < amount)
        return -2;
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    if (accounts[1].balance == 47)
        return 1;
    if (accounts[to].kind == 3 && accounts[to].balance == 312)
        return accounts[from].id == 101 ? 2 : 3; /* 3 never: no other has 300 */
    return 0;
}
