/* The first function of the paper's Figure 1: a tool that commits to the current value of a * b too early never gets in. */
int blind(int a, int b) {
    int c = (int)((unsigned)a * (unsigned)b);
    if (b > 2 && b == c)
        return 1;
    return 0;
}
