// Luhn's check over digits.
// covet: cover % --function card --iterations 300
int card(const char number[6])
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        if (number[i] < '0' || number[i] > '9')
            return -1;
        int d = number[i] - '0';
        if (i % 2 == 0) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
    }
    if (sum % 10)
        return 0;
    if (number[0] == '4' && sum == 50)
        return 2;
    return 1;
}
