// Writing to a string literal dies, and the alarm names the line of the write although clang merged two ways to it.
// covet: cover % --function scribble
int scribble(unsigned at, char c)
{
    char buffer[] = "buffer";
    char *text = at == 77 ? (char *)"literal" : buffer;
    text[0] = c;
    return text[0] == 'x';
}
