// The structure behind an argument is an object as well.
// covet: cover % --function third
struct triple { short a, b, c; };
int third(struct triple *t, unsigned i) {
    if (!t || i > 5) return 0;
    return ((short *)t)[i == 5 ? 3 : i / 2];
}
