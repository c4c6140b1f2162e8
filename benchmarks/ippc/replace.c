// Replaces what matches a pattern in a line. Twenty characters: a pattern of eight, a replacement of four, a line of eight.
// Patterns know: . any, [abc] [a-z] [^abc] one of, * any number of the last, ^ start, $ end, @ takes the next as it is. In the
// replacement & is what matched, @n a line end.

enum { PATTERN = 8, WITH = 4, LINE = 8, PARTS = 16, RESULT = 64 };

enum kind { LITERAL, ANY, ONE_OF, NONE_OF, START, END };

struct part {
    enum kind kind;
    char text[PATTERN];
    int length;
    int repeated;
};

static int escaped(const char *from, int size, int *at)
{
    if (from[*at] != '@')
        return from[*at];
    if (*at + 1 >= size || from[*at + 1] == 0)
        return '@';
    (*at)++;
    if (from[*at] == 'n')
        return '\n';
    if (from[*at] == 't')
        return '\t';
    return from[*at];
}

static int read_class(const char *pattern, int *at, struct part *part)
{
    (*at)++;
    part->kind = ONE_OF;
    if (*at < PATTERN && pattern[*at] == '^') {
        part->kind = NONE_OF;
        (*at)++;
    }
    while (*at < PATTERN && pattern[*at] != ']' && pattern[*at] != 0) {
        int c = escaped(pattern, PATTERN, at);
        if (c == '-' && part->length > 0 && *at + 1 < PATTERN && pattern[*at + 1] != ']') {
            int next = pattern[*at + 1];
            int first = part->text[part->length - 1];
            if (next >= first && next - first < 4) {
                for (int i = first + 1; i <= next && part->length < PATTERN; i++)
                    part->text[part->length++] = (char)i;
                *at += 2;
                continue;
            }
        }
        if (part->length < PATTERN)
            part->text[part->length++] = (char)c;
        (*at)++;
    }
    return *at < PATTERN && pattern[*at] == ']';
}

static int read_pattern(const char *pattern, struct part *parts)
{
    int count = 0;
    for (int at = 0; at < PATTERN && pattern[at] != 0; at++) {
        struct part *part = &parts[count];
        part->length = 0;
        part->repeated = 0;
        if (pattern[at] == '^' && at == 0) {
            part->kind = START;
        } else if (pattern[at] == '$' && (at + 1 == PATTERN || pattern[at + 1] == 0)) {
            part->kind = END;
        } else if (pattern[at] == '.') {
            part->kind = ANY;
        } else if (pattern[at] == '[') {
            if (!read_class(pattern, &at, part))
                return -1;
        } else if (pattern[at] == '*' && count > 0) {
            struct part *last = &parts[count - 1];
            if (last->kind == START || last->kind == END || last->repeated)
                return -1;
            last->repeated = 1;
            continue;
        } else {
            part->kind = LITERAL;
            part->text[part->length++] = (char)escaped(pattern, PATTERN, &at);
        }
        count++;
    }
    return count;
}

static int has(const struct part *part, char c)
{
    for (int i = 0; i < part->length; i++)
        if (part->text[i] == c)
            return 1;
    return 0;
}

static int matches_one(const struct part *part, const char *line, int at, int length)
{
    if (at >= length)
        return 0;
    switch (part->kind) {
    case LITERAL:
        return part->text[0] == line[at];
    case ANY:
        return line[at] != '\n';
    case ONE_OF:
        return has(part, line[at]);
    case NONE_OF:
        return line[at] != '\n' && !has(part, line[at]);
    default:
        return 0;
    }
}

/// The end of the match of `parts` that begins at `at`, or -1.
static int match(const struct part *parts, int count, const char *line, int at, int length)
{
    for (int i = 0; i < count; i++) {
        if (parts[i].kind == START) {
            if (at != 0)
                return -1;
        } else if (parts[i].kind == END) {
            if (at != length)
                return -1;
        } else if (parts[i].repeated) {
            int most = at;
            while (matches_one(&parts[i], line, most, length))
                most++;
            for (; most >= at; most--) {
                int end = match(parts + i + 1, count - i - 1, line, most, length);
                if (end >= 0)
                    return end;
            }
            return -1;
        } else {
            if (!matches_one(&parts[i], line, at, length))
                return -1;
            at++;
        }
    }
    return at;
}

static int put(char *result, int used, char c)
{
    if (used < RESULT)
        result[used++] = c;
    return used;
}

int replace(const char in[PATTERN + WITH + LINE])
{
    const char *pattern = in, *with = in + PATTERN, *line = in + PATTERN + WITH;
    struct part parts[PARTS];
    char result[RESULT];
    int used = 0, length = 0, replaced = 0;
    int count = read_pattern(pattern, parts);
    if (count <= 0)
        return -1;
    while (length < LINE && line[length] != 0)
        length++;
    for (int at = 0; at < length;) {
        int end = match(parts, count, line, at, length);
        if (end < 0) {
            used = put(result, used, line[at++]);
            continue;
        }
        replaced++;
        for (int i = 0; i < WITH && with[i] != 0; i++) {
            if (with[i] == '&') {
                for (int k = at; k < end; k++)
                    used = put(result, used, line[k]);
            } else {
                used = put(result, used, (char)escaped(with, WITH, &i));
            }
        }
        if (end == at)
            used = put(result, used, line[at++]);
        else
            at = end;
    }
    return replaced * 100 + used;
}
