// Who calls through a table treats all that stand in it alike: two of these ask whether there is room for the result, so the third may be
// given none. With one that asks nothing follows.
// covet: hunt % --function third --no-official
// covet: hunt % --function beside --no-official
struct state {
    int words[4];
};

static void first(const struct state *state, int *out)
{
    if (out)
        *out = state->words[0];
}

static void second(const struct state *state, int *out)
{
    if (out == 0)
        return;
    *out = state->words[1];
}

static void third(const struct state *state, int *out)
{
    for (int at = 0; at < 4; at++)
        out[at] = state->words[at];
}

static void beside(const struct state *state, int *out)
{
    *out = state->words[3];
}

typedef void finish_t(const struct state *, int *);
static finish_t *const all[] = {first, second, third};
static finish_t *const some[] = {first, beside};

void finish(unsigned which, int *out)
{
    struct state state = {{1, 2, 3, 4}};
    all[which % 3](&state, out);
    some[which % 2](&state, out);
}
