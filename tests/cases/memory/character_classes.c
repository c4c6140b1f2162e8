// A classification table of 256 entries, as lexers and ctype have them.
// covet: cover % --function lex
enum { OTHER, SPACE, DIGIT, LETTER, PUNCTUATION = 8 };
static unsigned char table[256];

static void fill(void)
{
    for (int c = '0'; c <= '9'; c++)
        table[c] = DIGIT;
    for (int c = 'a'; c <= 'z'; c++)
        table[c] = table[c - 32] = LETTER;
    table[' '] = table['\t'] = table['\n'] = SPACE;
    table['+'] = table['('] = PUNCTUATION;
}

int lex(unsigned char a, unsigned char b, unsigned char c)
{
    fill();
    if (table[a] != LETTER)
        return 0;
    if (table[b] == LETTER || table[b] == DIGIT) {
        if (table[c] == PUNCTUATION && c != '+')
            return 1;
        return a == 'Q' && b == '4' ? 2 : 3;
    }
    switch (table[b] | table[c] << 4) {
    case SPACE | SPACE << 4: return 4;
    case PUNCTUATION | DIGIT << 4: return 5;
    }
    return 6;
}
