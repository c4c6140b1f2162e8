// Names that clash with the library's, with macros and with what a test program needs.
// covet: cover %
static int index_(int main_) { return main_ > 3 ? 1 : 0; }
int read(int NULL_, int errno_)
{
    if (NULL_ == errno_)
        return index_(NULL_);
    return -1;
}
static int abs(int x) { return x == 77 ? 1 : 2; }
int y1(int arg) { return abs(arg); }
int covet_int(int result) { return result == 5 ? 1 : 0; }
