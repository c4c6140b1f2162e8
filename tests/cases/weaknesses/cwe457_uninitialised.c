// CWE-457: a variable and half of an array are used before they are written.
// covet: cover % --function bad --check uninitialised
// covet: cover % --function bad_array --check uninitialised
// covet: cover % --function good --check uninitialised
static int is_large(int data)
{
    return data > 10;
}

int bad(int flag)
{
    int data;
    if (flag > 100)
        data = flag;
    return is_large(data);
}

int bad_array(int index)
{
    int data[10];
    for (int i = 0; i < 5; i++)
        data[i] = i;
    if (index < 0 || index >= 10)
        return -1;
    return data[index] == 3;
}

int good(int flag)
{
    int data;
    if (flag > 100)
        data = flag;
    else
        data = 5;
    return is_large(data);
}
