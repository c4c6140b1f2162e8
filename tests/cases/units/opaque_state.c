// covet: cover % --function stream_level --function file_flags --function handler_mode --function pass_mode
// A library's state behind `void *`, behind a struct declared elsewhere, and behind a base type: built as what it is taken for.

struct private;

struct stream {
    void *opaque;
    struct private *state;
    int pending;
};

struct level {
    struct stream *owner;
    int number;
};

struct own_state {
    struct stream *owner;
    int magic, flags;
};

struct base {
    int kind;
};

struct derived {
    struct base base;
    int mode;
};

/* A member of type `void *`, converted without a cast. */
int stream_level(struct stream *stream)
{
    struct level *level = stream->opaque;
    if (!level || level->owner != stream)
        return -1;
    return level->number == 77;
}

static int is_valid(struct stream *stream)
{
    struct own_state *state = (struct own_state *)stream->state;
    return state && state->owner == stream && state->magic == 0x4d414749;
}

/* The conversion is made in another function. */
int file_flags(struct stream *stream)
{
    if (!is_valid(stream))
        return -1;
    return ((struct own_state *)stream->state)->flags & 4 ? 1 : 0;
}

/* The larger type holds the smaller one. */
int handler_mode(struct base *base)
{
    if (base->kind == 3)
        return ((struct derived *)base)->mode > 1000;
    return 0;
}

static int mode_of(void *handler)
{
    struct derived *derived = handler;
    return derived->mode == 5 && derived->base.kind == 6;
}

/* The parameter is handed on as it is. */
int pass_mode(void *handler)
{
    if (mode_of(handler))
        return 1;
    return 0;
}
