// A reactive system as contests have them: a hundred conditions over inputs and a hidden state, and a loop without end.
// covet: run % --iterations 600
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int a1 = 4, a7 = 9, a12 = 0, a17 = 1, a20 = 13;

static int step(int input)
{
    if (a20 == 14 && a12 == 0 && input == 4) {
        a7 = 10;
        a1 = 4;
        return 20;
    }
    else if (a12 == 1 && a17 == 3 && input == 1) {
        a20 = 13;
        a7 = 10;
        return 21;
    }
    else if (a17 == 2 && a12 == 0 && input == 1) {
        a7 = 10;
        a17 = 1;
        return 22;
    }
    else if (a1 == 4 && a20 == 13 && input == 2) {
        a12 = 0;
        a20 = 15;
        return 23;
    }
    else if (a7 == 10 && a20 == 14 && input == 3) {
        a1 = 5;
        a12 = 0;
        return 24;
    }
    else if (a7 == 11 && a12 == 1 && input == 5) {
        a20 = 15;
        a1 = 6;
        return 25;
    }
    else if (a12 == 1 && a1 == 5 && input == 4) {
        a12 = 1;
        a7 = 12;
        return 26;
    }
    else if (a7 == 9 && a1 == 6 && input == 3) {
        a17 = 3;
        a1 = 5;
        return 20;
    }
    else if (a12 == 0 && a17 == 2 && input == 1) {
        a7 = 9;
        a20 = 13;
        return 21;
    }
    else if (a17 == 2 && a12 == 1 && input == 4) {
        a1 = 5;
        a12 = 0;
        return 22;
    }
    else if (a17 == 2 && a1 == 6 && input == 5) {
        a12 = 1;
        a7 = 11;
        return 23;
    }
    else if (a20 == 15 && a1 == 5 && input == 3) {
        a7 = 10;
        a1 = 6;
        return 24;
    }
    else if (a12 == 0 && a17 == 1 && input == 5) {
        a20 = 13;
        a17 = 1;
        return 25;
    }
    else if (a20 == 14 && a12 == 1 && input == 2) {
        a1 = 5;
        a20 = 14;
        return 26;
    }
    else if (a7 == 10 && a20 == 15 && input == 4) {
        a1 = 5;
        a7 = 11;
        return 20;
    }
    else if (a7 == 11 && a1 == 4 && input == 4) {
        a20 = 15;
        a7 = 12;
        return 21;
    }
    else if (a17 == 2 && a12 == 1 && input == 4) {
        a17 = 1;
        a7 = 12;
        return 22;
    }
    else if (a20 == 14 && a7 == 11 && input == 2) {
        a1 = 5;
        a17 = 3;
        return 23;
    }
    else if (a20 == 14 && a12 == 0 && input == 3) {
        a12 = 1;
        a20 = 14;
        return 24;
    }
    else if (a12 == 0 && a20 == 15 && input == 1) {
        a17 = 2;
        a12 = 1;
        return 25;
    }
    else if (a17 == 3 && a12 == 1 && input == 3) {
        a12 = 1;
        a20 = 14;
        return 26;
    }
    else if (a7 == 11 && a17 == 3 && input == 2) {
        a20 = 13;
        a7 = 11;
        return 20;
    }
    else if (a17 == 1 && a12 == 1 && input == 2) {
        a20 = 14;
        a17 = 3;
        return 21;
    }
    else if (a20 == 13 && a12 == 0 && input == 2) {
        a20 = 15;
        a17 = 3;
        return 22;
    }
    else if (a7 == 10 && a20 == 15 && input == 6) {
        a1 = 4;
        a17 = 1;
        return 23;
    }
    else if (a1 == 5 && a7 == 10 && input == 4) {
        a7 = 12;
        a1 = 5;
        return 24;
    }
    else if (a12 == 0 && a17 == 3 && input == 2) {
        a7 = 9;
        a12 = 1;
        return 25;
    }
    else if (a17 == 1 && a12 == 1 && input == 1) {
        a20 = 13;
        a12 = 1;
        return 26;
    }
    else if (a20 == 14 && a12 == 1 && input == 2) {
        a17 = 3;
        a20 = 15;
        return 20;
    }
    else if (a20 == 13 && a12 == 0 && input == 5) {
        a17 = 1;
        a20 = 13;
        return 21;
    }
    else if (a20 == 15 && a1 == 4 && input == 4) {
        a1 = 6;
        a12 = 0;
        return 22;
    }
    else if (a12 == 1 && a17 == 1 && input == 4) {
        a12 = 1;
        a17 = 2;
        return 23;
    }
    else if (a7 == 11 && a12 == 1 && input == 3) {
        a17 = 2;
        a1 = 5;
        return 24;
    }
    else if (a17 == 2 && a12 == 0 && input == 1) {
        a20 = 13;
        a17 = 2;
        return 25;
    }
    else if (a1 == 4 && a7 == 12 && input == 5) {
        a20 = 13;
        a12 = 1;
        return 26;
    }
    else if (a1 == 5 && a7 == 10 && input == 6) {
        a12 = 1;
        a20 = 15;
        return 20;
    }
    return -2;
}

static void check(void)
{
    if (a1 == 6 && a7 == 12 && a20 == 15 && a17 == 3)
        reach_error();
    if (a1 == 5 && a7 == 11 && a20 == 14 && a17 == 2)
        reach_error();
    if (a1 == 6 && a7 == 10 && a20 == 13 && a17 == 3)
        reach_error();
    if (a1 == 4 && a7 == 12 && a20 == 15 && a17 == 2)
        reach_error();
}

int main(void)
{
    int output = -1;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input != 1 && input != 2 && input != 3 && input != 4 && input != 5 && input != 6)
            return -2;
        output = step(input);
        if (output == -2)
            check();
    }
}
