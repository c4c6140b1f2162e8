// Dotted addresses, digit by digit.
// covet: cover % --function address --iterations 1500
int address(const char text[8])
{
    unsigned parts[4] = {0};
    int part = 0, digits = 0;
    for (int i = 0; i < 8 && text[i]; i++) {
        if (text[i] == '.') {
            if (!digits || ++part > 3)
                return -1;
            digits = 0;
        } else if (text[i] >= '0' && text[i] <= '9') {
            parts[part] = parts[part] * 10 + text[i] - '0';
            if (parts[part] > 255)
                return -2;
            digits++;
        } else
            return -3;
    }
    if (part != 3 || !digits)
        return -4;
    return parts[0] == 10 ? 1 : 0;
}
