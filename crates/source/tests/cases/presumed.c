#line 100 "grammar.y"
int rule(int token) {
    return token;
}
#line 5 "presumed.c"
int after(void) { return 0; }
