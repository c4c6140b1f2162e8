// A reactive system as contests have them: many conditions over a hidden state, and a loop without end.
// promise: endless
// covet: run % --time 10
// check: branches 30; no alarm timeout; alarm error-reached; not stopped exhausted
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int a = 1, b = 4, c = 9;
static int step(int input)
{
    if (a == 1 && input == 3 && b == 4) { a = 2; b = 7; return 21; }
    if (a == 2 && input == 1 && b == 7) { a = 3; c = 10; return 22; }
    if (a == 2 && input == 5) { a = 1; b = 4; return 23; }
    if (a == 3 && c == 10 && input == 2) { a = 4; return 24; }
    if (a == 3 && c == 10 && input == 6) { a = 2; c = 9; return 25; }
    if (a == 4 && input == 4 && c == 10) { a = 5; b = 8; return 26; }
    if (a == 5 && b == 8 && input == 1) { a = 6; return 21; }
    if (a == 5 && b == 8 && input == 3) { a = 1; b = 4; c = 9; return 22; }
    if (a == 6 && input == 6 && b == 8) { reach_error(); }
    return -2;
}
int main(void)
{
    for (;;) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || input > 6)
            return -2;
        step(input);
    }
}
