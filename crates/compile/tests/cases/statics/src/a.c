static int counter = 10;
static int helper(int x) { return counter + x; }
int from_a(int x) { return helper(x); }
