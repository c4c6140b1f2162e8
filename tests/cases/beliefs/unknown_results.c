// What a missing function gives is made up; it counts where the fault depends on it.
// covet: hunt % --filter off --no-official --function depends --function does_not
int read_sensor(int number);

int depends(int number)
{
    int value = read_sensor(number);
    if (value == 12345)
        return 100 / (value - 12345);
    return value;
}

int does_not(int number)
{
    int value = read_sensor(number);
    return value + 100 / number;
}
