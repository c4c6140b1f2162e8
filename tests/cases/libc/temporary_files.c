// covet: cover % --iterations 40
// Temporary files and files that the program makes itself work, in a folder of the run.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
int f(int x)
{
    FILE *t = tmpfile();
    if (!t)
        return -1;
    fprintf(t, "%d", x);
    rewind(t);
    int y = 0;
    if (fscanf(t, "%d", &y) != 1)
        return -2;
    fclose(t);
    if (y == 42)
        return 1;
    return 0;
}
int g(int x)
{
    char name[] = "/tmp/abcXXXXXX";
    int fd = mkstemp(name);
    if (fd < 0)
        return -1;
    if (write(fd, &x, sizeof x) != sizeof x)
        return -2;
    close(fd);
    FILE *in = fopen(name, "rb");
    if (!in)
        return -3;
    int y;
    if (fread(&y, sizeof y, 1, in) != 1)
        return -4;
    fclose(in);
    unlink(name);
    if (y > 100)
        return 1;
    return 0;
}
int h(int x)
{
    FILE *out = fopen("log.txt", "w");
    if (!out)
        return -1;
    fprintf(out, "x=%d\n", x);
    fclose(out);
    FILE *in = fopen("log.txt", "r");
    if (!in)
        return -2;
    char line[32];
    if (!fgets(line, sizeof line, in))
        return -3;
    fclose(in);
    remove("log.txt");
    if (x > 7)
        return 1;
    return 0;
}
int d(int x)
{
    char folder[] = "/tmp/dirXXXXXX";
    if (!mkdtemp(folder))
        return -1;
    if (rmdir(folder) != 0)
        return -2;
    return x > 3 ? 1 : 0;
}
int n(int x)
{
    char own[L_tmpnam], *names[3] = { tmpnam(NULL), tmpnam(own), tempnam("/tmp", "covet") };
    for (int i = 0; i < 3; i++) {
        if (!names[i])
            return -1;
        FILE *out = fopen(names[i], "w+");
        if (!out)
            return -2;
        fprintf(out, "%d", x);
        fclose(out);
    }
    int is_fresh = strcmp(tmpnam(NULL), own) != 0;
    remove(own);
    remove(names[2]);
    free(names[2]);
    if (is_fresh && x == 5)
        return 1;
    return 0;
}
