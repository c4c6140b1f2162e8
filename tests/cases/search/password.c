// A keyed check: each letter must be solved in turn, the last through arithmetic over all.
// covet: cover % --function login --strategy dfs
int login(const char in[6])
{
    static const char key[] = "covet";
    unsigned hash = 5381;
    for (int i = 0; i < 5; i++) {
        if ((in[i] ^ (i + 1)) != key[i])
            return 0;
        hash = hash * 33 + in[i];
    }
    if (((hash + in[5]) & 0xff) == 0x5a)
        return 1;
    return 2;
}
