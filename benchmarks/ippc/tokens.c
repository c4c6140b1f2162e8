// Splits a text into the tokens of a small Lisp-like language: brackets, quotes, strings, numbers, keywords, names, comments.
// Forty characters.

enum { TEXT = 40, LONGEST = 12 };

enum token { NOTHING, BRACKET, QUOTE, COMMA, STRING, NUMBER, CHARACTER, KEYWORD, NAME, WRONG };

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int ends_token(char c)
{
    return c == 0 || is_space(c) || c == '(' || c == ')' || c == '[' || c == ']' || c == '"' || c == ';' || c == ',';
}

static int same(const char *text, int length, const char *word)
{
    int i = 0;
    for (; i < length; i++)
        if (word[i] == 0 || text[i] != word[i])
            return 0;
    return word[i] == 0;
}

static int is_keyword(const char *text, int length)
{
    return same(text, length, "and") || same(text, length, "or") || same(text, length, "if") ||
           same(text, length, "xor") || same(text, length, "lambda");
}

static enum token word(const char *text, int length)
{
    if (length > LONGEST)
        return WRONG;
    if (text[0] == '#') {
        if (length == 2)
            return CHARACTER;
        return WRONG;
    }
    if (is_digit(text[0]) || (text[0] == '-' && length > 1)) {
        for (int i = 1; i < length; i++)
            if (!is_digit(text[i]))
                return WRONG;
        return NUMBER;
    }
    if (is_keyword(text, length))
        return KEYWORD;
    if (!is_letter(text[0]))
        return WRONG;
    for (int i = 1; i < length; i++)
        if (!is_letter(text[i]) && !is_digit(text[i]))
            return WRONG;
    return NAME;
}

int tokens(const char text[TEXT])
{
    int counts[WRONG + 1] = {0};
    int at = 0, depth = 0;
    while (at < TEXT && text[at] != 0) {
        enum token token = NOTHING;
        char c = text[at];
        if (is_space(c)) {
            at++;
            continue;
        }
        if (c == ';') {
            while (at < TEXT && text[at] != 0 && text[at] != '\n')
                at++;
            continue;
        }
        if (c == '(' || c == '[') {
            token = BRACKET;
            depth++;
            at++;
        } else if (c == ')' || c == ']') {
            token = depth > 0 ? BRACKET : WRONG;
            if (depth > 0)
                depth--;
            at++;
        } else if (c == '\'' || c == '`') {
            token = QUOTE;
            at++;
        } else if (c == ',') {
            token = COMMA;
            at++;
        } else if (c == '"') {
            int end = at + 1;
            while (end < TEXT && text[end] != 0 && text[end] != '"' && text[end] != '\n')
                end++;
            if (end < TEXT && text[end] == '"') {
                token = STRING;
                end++;
            } else {
                token = WRONG;
            }
            at = end;
        } else {
            int end = at;
            while (end < TEXT && !ends_token(text[end]))
                end++;
            token = word(text + at, end - at);
            at = end;
        }
        counts[token]++;
    }
    if (counts[WRONG] > 0)
        return -counts[WRONG];
    if (depth != 0)
        return -100;
    return counts[NAME] + 10 * counts[KEYWORD] + 100 * counts[NUMBER];
}
