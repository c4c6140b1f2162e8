// covet: cover % --stub crc --stub store* --function accept --function keep
/* Functions that are here and are not to be used: what they give is an input. */
static unsigned crc(const unsigned char *bytes, unsigned long count)
{
    unsigned sum = ~0u;
    for (unsigned long i = 0; i < count; i++)
        for (int bit = (sum ^= bytes[i], 0); bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    return ~sum;
}

int accept(const unsigned char *bytes, unsigned long count)
{
    if (!bytes || count < 4 || bytes[0] != 'P')
        return 0;
    return crc(bytes, count) == 0xcafebabe ? 2 : 1;
}

struct slot { int key; double weight; };

double store_weight(struct slot *into, int key)
{
    into->key = key;
    into->weight = key * 0.25;
    return into->weight;
}

int keep(int key)
{
    struct slot slot;
    double weight = store_weight(&slot, key);
    if (weight > 1e9 && slot.key == -key)
        return slot.weight < weight;
    return 3;
}
