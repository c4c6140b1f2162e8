static int counter = 20;
static int helper(int x) { return counter * x; }
int from_b(int x) { return helper(x); }
