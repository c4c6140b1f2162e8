// A message counts only if its check sum is right, and that is assumed at the end.
// covet: run %
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned char message[9], check = 0x5a;
    int kind = 0;
    for (int i = 0; i < 9; i++)
        message[i] = __VERIFIER_nondet_uchar();
    if (message[0] == 'G')
        kind = message[1] == 'E' ? 1 : 2;
    else if (message[0] == 'P')
        kind = 3;
    for (int i = 0; i < 8; i++)
        check = (unsigned char)((check << 1 | check >> 7) ^ message[i]);
    __VERIFIER_assume(check == message[8]);
    if (kind == 3)
        return 3;
    return kind;
}
