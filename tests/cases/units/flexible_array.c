// A flexible array member, with and without a count beside it.
// covet: cover % --function parse
#include <stddef.h>
struct packet { unsigned short kind; unsigned short length; unsigned char payload[]; };
struct words { int first; int rest[]; };
int parse(const struct packet *packet, const struct words *words)
{
    int sum = 0;
    if (!packet || !words)
        return -1;
    for (int i = 0; i < packet->length; i++)
        sum += packet->payload[i];
    if (packet->length == 3 && sum == 600)
        return 1;
    return words->rest[2] == words->first + 5 ? 2 : 0;
}
