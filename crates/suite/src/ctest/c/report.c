/* ---- What became of a test: in words, and with --report=DESCRIPTOR (one digit) as one line of JSON that programs can read. The
 * process of the test does not have that descriptor. ---------------------------------------------------------------------------------- */

static int covtest_report_to = -1;

/* How a test ended, or should have. */
struct covtest_end {
    enum covtest_ending ending;
    int code; /* exit code or signal; 0 for any signal */
    struct covtest_value value;
};

static void covtest_hexadecimal(char *text, const struct covtest_value *value)
{
    unsigned size = value->size < sizeof value->halves ? value->size : sizeof value->halves, at = 0;
    for (text[0] = 0; size > 0; at += 2)
        covtest_snprintf(text + at, 3, "%02x", (unsigned)((const unsigned char *)value->halves)[--size]);
}

static void covtest_say_value(char *text, unsigned long size, const struct covtest_value *value)
{
    char digits[40];
    long long number = (long long)value->halves[0];
    covtest_hexadecimal(digits, value);
    covtest_snprintf(text, size, "nothing");
    switch (value->kind) {
    case COVTEST_NO_VALUE: break;
    case COVTEST_SIGNED: covtest_snprintf(text, size, "%lld", number); break;
    case COVTEST_UNSIGNED: covtest_snprintf(text, size, "%llu", value->halves[0]); break;
    case COVTEST_FLOAT: covtest_snprintf(text, size, "%.9g", (double)covtest_float((unsigned)number)); break;
    case COVTEST_DOUBLE: covtest_snprintf(text, size, "%.17g", covtest_double(value->halves[0])); break;
    case COVTEST_BITS: covtest_snprintf(text, size, "bits 0x%s", digits); break;
    case COVTEST_POINTER: covtest_snprintf(text, size, "%s", number ? "a pointer" : "NULL"); break;
    }
}

static void covtest_say(char *text, unsigned long size, const struct covtest_end *end)
{
    char value[64];
    switch (end->ending) {
    case COVTEST_RETURNS:
        covtest_say_value(value, sizeof value, &end->value);
        covtest_snprintf(text, size, "returned%s%s", end->value.kind ? " " : "", end->value.kind ? value : "");
        break;
    case COVTEST_EXITS: covtest_snprintf(text, size, "exited with code %d", end->code); break;
    case COVTEST_DIES: covtest_snprintf(text, size, end->code ? "died of signal %d" : "died of a signal", end->code); break;
    case COVTEST_RUNS_ON: covtest_snprintf(text, size, "still running after %d ms", COVTEST_MILLISECONDS); break;
    case COVTEST_ANYTHING: covtest_snprintf(text, size, "anything"); break;
    case COVTEST_UNASSUMED: covtest_snprintf(text, size, "an assumption that did not hold"); break;
    }
}

static void covtest_tell(char *text, unsigned long size, const struct covtest_end *end)
{
    static const char *const kinds[] = { NULL, "signed", "unsigned", "float", "double", "bits", "pointer" };
    unsigned kind = (unsigned)end->value.kind;
    char digits[40];
    covtest_hexadecimal(digits, &end->value);
    switch (end->ending) {
    case COVTEST_RETURNS:
        if (kind == COVTEST_NO_VALUE || kind >= sizeof kinds / sizeof kinds[0])
            covtest_snprintf(text, size, "{\"end\":\"returned\"}");
        else
            covtest_snprintf(text, size, "{\"end\":\"returned\",\"kind\":\"%s\",\"bits\":\"%s\"}", kinds[kind], digits);
        break;
    case COVTEST_EXITS: covtest_snprintf(text, size, "{\"end\":\"exited\",\"code\":%d}", end->code); break;
    case COVTEST_DIES: covtest_snprintf(text, size, "{\"end\":\"died\",\"signal\":%d}", end->code); break;
    case COVTEST_RUNS_ON: covtest_snprintf(text, size, "{\"end\":\"runs-on\",\"milliseconds\":%d}", COVTEST_MILLISECONDS); break;
    case COVTEST_ANYTHING: covtest_snprintf(text, size, "{\"end\":\"anything\"}"); break;
    case COVTEST_UNASSUMED: covtest_snprintf(text, size, "{\"end\":\"unassumed\"}"); break;
    }
}

static void covtest_print(int to, const char *text)
{
    covtest_write_all(to, text, __builtin_strlen(text));
}

/* Text within a string of JSON. */
static void covtest_print_quoted(int to, const char *text)
{
    char quoted[512];
    unsigned long at = 0;
    for (; *text && at + 2 < sizeof quoted; text++) {
        if (*text == '"' || *text == '\\')
            quoted[at++] = '\\';
        quoted[at++] = *text >= 0x20 && *text < 0x7f ? *text : '?';
    }
    quoted[at] = 0;
    covtest_print(to, quoted);
}

#ifdef COVTEST_RECORD
static void covtest_print_observed(void);
#else
#define covtest_print_observed()
#endif

static void covtest_print_result(const struct covtest_test *test, int passed, const struct covtest_end *expected, const struct covtest_end *got)
{
    int is_any = test->expectation == COVTEST_ANYTHING;
    int is_check = !passed && covtest_report->failed[0] && expected->ending == got->ending;
    char line[640], wanted[160], seen[160];
    covtest_report->failed[sizeof covtest_report->failed - 1] = 0;
    covtest_say(wanted, sizeof wanted, expected);
    covtest_say(seen, sizeof seen, got);
    if (passed)
        covtest_snprintf(line, sizeof line, "%s  %s: %s\n", is_any ? "any" : "ok ", test->id, seen);
    else if (is_check)
        covtest_snprintf(line, sizeof line, "FAIL %s: %s\n", test->id, covtest_report->failed);
    else
        covtest_snprintf(line, sizeof line, "FAIL %s: expected %s, got %s\n", test->id, wanted, seen);
    covtest_print(1, line);
    if (covtest_report_to < 0)
        return;
    covtest_tell(wanted, sizeof wanted, expected);
    covtest_tell(seen, sizeof seen, got);
    covtest_print(covtest_report_to, "{\"schema\":\"covet/test/1\",\"test\":\"");
    covtest_print(covtest_report_to, test->id);
    covtest_snprintf(line, sizeof line, "\",\"verdict\":\"%s\",\"expected\":%s,\"got\":%s",
                     is_any ? "undefined" : passed ? "passed" : "failed", wanted, seen);
    covtest_print(covtest_report_to, line);
    if (is_check) {
        covtest_print(covtest_report_to, ",\"check\":\"");
        covtest_print_quoted(covtest_report_to, covtest_report->failed);
        covtest_print(covtest_report_to, "\"");
    }
    covtest_print_observed();
    covtest_print(covtest_report_to, "}\n");
}
