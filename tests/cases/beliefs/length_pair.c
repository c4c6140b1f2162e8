// A number that is named or used as the length of an array is its length; without one, any length is a guess.
// covet: hunt % --filter off --no-official --function sum --function last --function fifth
int sum(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i <= count; i++)
        sum += values[i];
    return sum;
}

int last(const unsigned char *bytes, unsigned size)
{
    if (size > 100)
        return 0;
    return bytes[size];
}

int fifth(const int *values)
{
    int sum = 0;
    for (int i = 0; i < 5000; i++)
        sum += values[i];
    return sum;
}
