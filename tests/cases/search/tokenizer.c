// A tokenizer and parser of nested lists of numbers: (1(23)4)
// covet: cover % --function parse --iterations 600
static const char *at;
static int deepest;

static int list(int depth)
{
    if (depth > deepest)
        deepest = depth;
    int total = 0;
    for (;;) {
        if (*at >= '0' && *at <= '9')
            total += *at++ - '0';
        else if (*at == '(') {
            at++;
            int inner = list(depth + 1);
            if (inner < 0)
                return -1;
            total += inner;
        } else if (*at == ')' && depth > 0) {
            at++;
            return total;
        } else
            return depth > 0 ? -1 : total;
    }
}

int parse(const char text[6])
{
    char copy[7] = {0};
    for (int i = 0; i < 6; i++)
        copy[i] = text[i];
    at = copy;
    int total = list(0);
    if (total < 0)
        return -1;
    if (*at)
        return -2;
    if (deepest == 2 && total == 12)
        return 1;
    return 0;
}
