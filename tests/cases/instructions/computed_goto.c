// Labels as values: a threaded interpreter whose next instruction is symbolic. The first NEXT is never past the end.
// covet: cover % --function interpret
int interpret(unsigned char code[4], int x)
{
    static void *const labels[] = {&&stop, &&increment, &&twice, &&negate};
    int accumulator = x, at = 0;
#define NEXT goto *labels[at < 4 ? code[at++] & 3 : 0]
    NEXT;
increment:
    accumulator++;
    NEXT;
twice:
    accumulator *= 2;
    NEXT;
negate:
    accumulator = -accumulator;
    NEXT;
stop:
    return accumulator == -14 && at == 4 ? 1 : 0;
}
