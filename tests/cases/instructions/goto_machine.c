// A machine written with goto: accepts a(b|c)*d.
// covet: cover % --function accept --iterations 200
int accept(const char text[5])
{
    int at = 0, seen = 0;
start:
    if (text[at++] != 'a')
        goto reject;
middle:
    if (at == 5)
        goto reject;
    switch (text[at++]) {
    case 'b': seen += 1; goto middle;
    case 'c': seen += 10; goto middle;
    case 'd': goto end;
    case 'a': if (seen == 0) { at--; goto start; } /* fall through */
    default: goto reject;
    }
end:
    return seen == 21 ? 1 : 2;
reject:
    return 0;
}
