// An alarm with a way of many decisions is shown from its caller, and through the public interface. (The search alone finds this one too.)
// covet: hunt % --function summed --iterations 3000
static int slots[8];

static int summed(const char *text)
{
    int sum = 0;
    for (int at = 0; at < 12 && text[at]; at++) {
        if (text[at] == 'a')
            sum += at;
        else if (text[at] == 'b')
            sum -= 1;
    }
    if (sum < 50)
        return 0;
    return slots[sum - 50 + (text[0] == 'a') * 3];
}

int sections(const char *text)
{
    int found = 0;
    if (!text)
        return -1;
    for (; *text && *text != ':'; text++)
        found++;
    if (found != 3 || !*text)
        return 0;
    return summed(text + 1);
}
