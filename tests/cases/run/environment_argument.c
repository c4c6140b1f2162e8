// main with three parameters, and argv ending in a null pointer.
// covet: run % --arg 1
int main(int argc, char **argv, char **envp)
{
    if (argv[argc])
        return 9; /* never */
    int count = 0;
    while (envp[count])
        count++;
    return argv[1][0] == 'e' ? 1 : 0;
}
