// The tag says what a union holds; that it may say something else is a guess.
// covet: hunt % --filter off --no-official --function first
// covet: show invariants %
enum type { NUMBER, TEXT };
struct value {
    enum type type;
    union {
        long number;
        const char *text;
    } u;
};

int first(const struct value *value)
{
    if (!value)
        return -1;
    if (value->type == TEXT && value->u.text)
        return value->u.text[0];
    return 0;
}
