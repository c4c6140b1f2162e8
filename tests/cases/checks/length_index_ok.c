// An index below the length, which is an input too: no length makes it leave the array.
// covet: cover % --function at
// covet: cover % --function tail
struct message {
    int count;
    int parts[];
};

int at(const int *values, int n, int i)
{
    if (!values || i < 0 || i >= n)
        return -1;
    if (values[i] == 77)
        return 1;
    return i == 40 ? 2 : 0;
}

int tail(const struct message *message, int i)
{
    if (!message || i < 0 || i >= message->count)
        return -1;
    return message->parts[i] == 3;
}
