// covet: cover %
// A compiler may leave out the call of a pure function whose result nobody wants; the test that it crashes wants it.
struct text { char *start; unsigned long length; };

__attribute__((pure)) unsigned long length(const struct text *text);

unsigned long length(const struct text *text) {
    return text->length;
}
