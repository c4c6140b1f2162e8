
/* Recording: what was observed, as part of the report. */
static void covtest_print_observed(void)
{
    static char text[2049];
    char digits[3];
    long size = covtest_printed(text, sizeof text), i;
    if (!covtest_observed->overflow && covtest_observed->size < COVTEST_ROOM) {
        covtest_print(covtest_report_to, ",\"observed\":[");
        covtest_write_all(covtest_report_to, covtest_observed->text, covtest_observed->size);
        covtest_print(covtest_report_to, "]");
    }
    covtest_print(covtest_report_to, ",\"printed\":\"");
    for (i = 0; i < size; i++) {
        covtest_snprintf(digits, sizeof digits, "%02x", (unsigned)(unsigned char)text[i]);
        covtest_print(covtest_report_to, digits);
    }
    covtest_print(covtest_report_to, "\"");
#ifndef COVTEST_OWN_HEAP
    if (covtest_report->returned) {
        char counts[64];
        covtest_snprintf(counts, sizeof counts, ",\"heap\":[%ld,%ld]", covtest_report->blocks, covtest_report->heap_uses);
        covtest_print(covtest_report_to, counts);
    }
#endif
    covtest_observed->size = 0;
    covtest_observed->overflow = 0;
}
