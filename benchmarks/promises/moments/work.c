// Work without end in several functions, for signals at random moments.
int first(const unsigned char *text)
{
    int n = 0;
    for (int i = 0; i < 40; i++)
        n += text[i] > 100 ? i : 1;
    return n == 17 ? 1 : n;
}
int second(int a, int b, int c)
{
    if (a > b && b > c)
        return a * b == 391 ? 1 : 2;
    if (a % 7 == 3)
        return c / (b | 1);
    return 0;
}
struct node {
    int value;
    struct node *next;
};
int third(struct node *at)
{
    int n = 0;
    for (; at; at = at->next)
        if (at->value == n * n)
            n++;
    return n;
}
int fourth(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        if (*s == '(')
            depth++;
        else if (*s == ')' && depth > 0)
            depth--;
        else if (*s == '!')
            return -depth;
    }
    return depth;
}
