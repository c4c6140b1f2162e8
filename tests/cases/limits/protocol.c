// A protocol over inputs without end: some sequences leave, most go on.
// covet: run % --iterations 300
extern char __VERIFIER_nondet_char(void);

static int token(const char *word)
{
    for (int i = 0; word[i]; i++)
        if (__VERIFIER_nondet_char() != word[i])
            return 0;
    return 1;
}

int main(void)
{
    int level = 0;
    for (;;) {
        char kind = __VERIFIER_nondet_char();
        switch (kind) {
        case 'u':
            if (token("p"))
                level++;
            break;
        case 'd':
            if (level > 0 && token("own"))
                level--;
            break;
        case 'q':
            if (level == 2 && token("uit"))
                return level;
            break;
        default:
            break;
        }
        if (level == 3)
            return 3;
    }
}
