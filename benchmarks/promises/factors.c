// A question that no solver answers in time.
// promise: time
// covet: cover % --function f --time 4
// check: branches 1; not stopped exhausted
int f(unsigned long long a, unsigned long long b)
{
    unsigned __int128 wanted = (unsigned __int128)0x28abf5da0a9fceaull << 64 | 0xcd1934dcb59c7a1ull;
    if (a > 1 && b > 1 && (unsigned __int128)a * b == wanted)
        return 1;
    return 0;
}
