// A number that is compared with one of several constants may be another one; one that must be a constant, or is bounded, may not.
// covet: hunt % --filter off --no-official --function name_of --function version_of --function row_of
struct entry { unsigned method, version, row; };

static const char *const names[4] = {"stored", "shrunk", "reduced", "imploded"};

int name_of(struct entry *entry)
{
    return names[entry->method][0];
}

int version_of(struct entry *entry)
{
    return names[entry->version][0];
}

int row_of(struct entry *entry)
{
    return names[entry->row][0];
}

int is_packed(struct entry *entry)
{
    return entry->method == 6 || entry->method == 8;
}

int read_entry(struct entry *entry, const unsigned char *from)
{
    entry->method = from[0];
    entry->version = from[1];
    entry->row = from[2];
    if (entry->version != 2)
        return -1;
    return entry->row < 4;
}
