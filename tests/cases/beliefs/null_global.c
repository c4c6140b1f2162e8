// A pointer that the program sets before it gets here is not NULL, though it starts so; one that is tested elsewhere may be.
// covet: hunt % --filter off --no-official --function use_table --function use_log
static int storage[8];
static int *table;
static int *log_buffer;

void init(void) { table = storage; }
void set_log(int *buffer) { log_buffer = buffer; }
int is_logging(void) { return log_buffer != 0; }

int use_table(int i)
{
    if (i < 0 || i > 7)
        return 0;
    return table[i];
}

int use_log(void) { return log_buffer[0]; }
