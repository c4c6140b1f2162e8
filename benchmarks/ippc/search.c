// Looks for a regular expression in a text. Ten characters: an expression of six and a text of four. Expressions know: . any,
// \d \w and escapes, [a-z] and [^a-z], * + ? after an item, | between, ( ) around, ^ and $ at the ends. Matching is by
// backtracking over the expression itself.

enum { EXPRESSION = 6, TEXT = 4, STEPS = 400 };

struct search {
    const char *expression, *text;
    int steps;
};

static char at_expression(const struct search *s, int at)
{
    return at < EXPRESSION ? s->expression[at] : 0;
}

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The place just after the item that begins at `at`, or -1 when it has no end.
static int item_end(const struct search *s, int at)
{
    char c = at_expression(s, at);
    if (c == '\\')
        return at_expression(s, at + 1) != 0 ? at + 2 : -1;
    if (c == '[') {
        int end = at + 1;
        if (at_expression(s, end) == '^')
            end++;
        do {
            if (at_expression(s, end) == 0)
                return -1;
            end++;
        } while (at_expression(s, end) != ']');
        return end + 1;
    }
    if (c == '(') {
        int depth = 1, end = at + 1;
        while (depth > 0) {
            char inner = at_expression(s, end);
            if (inner == 0)
                return -1;
            if (inner == '(')
                depth++;
            if (inner == ')')
                depth--;
            end++;
        }
        return end;
    }
    return at + 1;
}

static int in_class(const struct search *s, int at, int end, char c)
{
    int negated = at_expression(s, at + 1) == '^';
    int found = 0;
    for (int i = at + 1 + negated; i < end - 1; i++) {
        char low = at_expression(s, i), high = low;
        if (at_expression(s, i + 1) == '-' && i + 2 < end - 1) {
            high = at_expression(s, i + 2);
            i += 2;
        }
        if (low <= c && c <= high)
            found = 1;
    }
    return found != negated;
}

static int matches_character(const struct search *s, int at, int end, char c)
{
    char e = at_expression(s, at);
    if (c == 0)
        return 0;
    if (e == '.')
        return 1;
    if (e == '[')
        return in_class(s, at, end, c);
    if (e == '\\') {
        char kind = at_expression(s, at + 1);
        if (kind == 'd')
            return c >= '0' && c <= '9';
        if (kind == 'w')
            return is_word(c);
        return c == kind;
    }
    return e == c;
}

static int match(struct search *s, int from, int to, int place);

/// Any of the alternatives between `from` and `to`; the place after the match, or -1.
static int alternatives(struct search *s, int from, int to, int place)
{
    int start = from;
    for (int at = from; at <= to;) {
        if (at == to || at_expression(s, at) == '|') {
            int end = match(s, start, at, place);
            if (end >= 0)
                return end;
            start = at + 1;
            at++;
            continue;
        }
        int next = item_end(s, at);
        if (next < 0 || next > to)
            return -1;
        at = next;
    }
    return -1;
}

static int one(struct search *s, int from, int end, int place)
{
    if (at_expression(s, from) == '(')
        return alternatives(s, from + 1, end - 1, place);
    char c = place < TEXT ? s->text[place] : 0;
    return matches_character(s, from, end, c) ? place + 1 : -1;
}

static int match(struct search *s, int from, int to, int place)
{
    if (++s->steps > STEPS)
        return -1;
    if (from >= to)
        return place;
    char c = at_expression(s, from);
    if (c == '^')
        return place == 0 ? match(s, from + 1, to, place) : -1;
    if (c == '$' && from + 1 == to)
        return place == TEXT || s->text[place] == 0 ? place : -1;
    int end = item_end(s, from);
    if (end < 0 || end > to)
        return -1;
    char how = end < to ? at_expression(s, end) : 0;
    int after = one(s, from, end, place);
    if (how == '*' || how == '+') {
        if (after > place) {
            int more = match(s, from, to, after);
            if (more >= 0)
                return more;
            if (how == '+')
                return match(s, end + 1, to, after);
        }
        return how == '*' ? match(s, end + 1, to, place) : -1;
    }
    if (how == '?') {
        int taken = after >= 0 ? match(s, end + 1, to, after) : -1;
        return taken >= 0 ? taken : match(s, end + 1, to, place);
    }
    return after >= 0 ? match(s, end, to, after) : -1;
}

int search(const char in[EXPRESSION + TEXT])
{
    struct search s = {in, in + EXPRESSION, 0};
    int length = 0;
    while (length < EXPRESSION && in[length] != 0)
        length++;
    if (length == 0)
        return 0;
    if (in[0] == '*' || in[0] == '+' || in[0] == '?')
        return -1;
    for (int start = 0; start < TEXT; start++) {
        int end = alternatives(&s, 0, length, start);
        if (end >= 0)
            return 1 + start * 10 + end;
        if (s.text[start] == 0)
            break;
    }
    return 0;
}
