// Two pointers to one object, without comparing them: what is written through one is read through the other.
// covet: cover % --function update
int update(int *a, int *b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 1;
    return 0;
}
