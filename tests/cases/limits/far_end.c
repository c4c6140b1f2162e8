// covet: run % --iterations 2000 --max-inputs 1000000
// A program that ends after very many inputs: the end, and what depends on the first of them, is found without a list of all.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 300000; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c > 200)
            sum += c;
    }
    if (sum == 201 * 2)
        return 1;
    return 0;
}
