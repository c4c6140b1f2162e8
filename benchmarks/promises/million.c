// A million inputs in one run.
// promise: memory
// covet: run % --time 20 --memory 2000 --max-inputs 2000000
// check: peak 700; branches 5
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 1000000; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c > 200)
            sum += c;
    }
    if (sum == 201 * 3)
        return 1;
    return 0;
}
