/* Streams and descriptors: the same random walk over a symbolic file and over a real one with the same contents. */
#include "shim.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define M(name) __covet_libc_##name
FILE *M(fopen)(const char *, const char *);
FILE *M(fdopen)(int, const char *);
FILE *M(freopen)(const char *, const char *, FILE *);
int M(fclose)(FILE *), M(fgetc)(FILE *), M(ungetc)(int, FILE *), M(feof)(FILE *), M(ferror)(FILE *);
int M(getc_unlocked)(FILE *), M(getchar)(void), M(fileno)(FILE *), M(setvbuf)(FILE *, char *, int, size_t);
char *M(fgets)(char *, int, FILE *), *M(gets)(char *);
size_t M(fread)(void *, size_t, size_t, FILE *), M(fwrite)(const void *, size_t, size_t, FILE *);
int M(fseek)(FILE *, long, int), M(fgetpos)(FILE *, fpos_t *), M(fsetpos)(FILE *, const fpos_t *);
long M(ftell)(FILE *);
void M(rewind)(FILE *), M(clearerr)(FILE *);
ssize_t M(getline)(char **, size_t *, FILE *), M(getdelim)(char **, size_t *, int, FILE *);
int M(fprintf)(FILE *, const char *, ...), M(fputs)(const char *, FILE *), M(fputc)(int, FILE *), M(scanf)(const char *, ...);
int M(fflush)(FILE *);
int M(open)(const char *, int, ...), M(close)(int), M(dup)(int), M(dup2)(int, int), M(isatty)(int), M(access)(const char *, int);
ssize_t M(read)(int, void *, size_t), M(pread)(int, void *, size_t, off_t), M(write)(int, const void *, size_t);
off_t M(lseek)(int, off_t, int);
int M(fstat)(int, struct stat *), M(stat)(const char *, struct stat *);
void *M(mmap)(void *, size_t, int, int, int, off_t);
void __covet_end_run(void);

static char path[] = "covet-streams-XXXXXX";

static void contents(size_t most) {
    FILE *f = fopen(path, "w");
    size_t i;
    shim_file_size = roll((uint32_t)most + 1);
    for (i = 0; i < shim_file_size; i++) shim_file[i] = (unsigned char)(roll(5) ? 'a' + roll(26) : roll(2) ? '\n' : roll(256));
    fwrite(shim_file, 1, shim_file_size, f);
    fclose(f);
}

/* One random operation on both; what they return and leave behind must agree. */
static void step(FILE *sym, FILE *real, int writable) {
    char x[400], y[400];
    long n = roll(10) ? roll(20) : roll(300);
    static char *line_x, *line_y;
    static size_t room_x, room_y;
    static fpos_t at_x, at_y;
    ssize_t p, q;
    int c, from;
    memset(x, '#', sizeof x), memset(y, '#', sizeof y);
    switch (roll(writable ? 18 : 14)) {
    case 0: case 1: c = M(fgetc)(sym); CHECK(c == getc(real), "fgetc"); break;
    case 2: CHECK(M(getc_unlocked)(sym) == getc_unlocked(real), "getc_unlocked"); break;
    case 3: /* one character back, after reading one */
        c = M(fgetc)(sym);
        CHECK(c == getc(real), "fgetc");
        if (c != EOF && roll(3) == 0) c = (int)roll(256);
        CHECK(M(ungetc)(c, sym) == ungetc(c, real), "ungetc");
        break;
    case 4: case 5:
        CHECK(!M(fgets)(x, (int)n, sym) == !fgets(y, (int)n, real), "fgets %ld", n);
        CHECK(memcmp(x, y, sizeof x) == 0, "fgets text %ld", n);
        break;
    case 6: case 7: {
        size_t width = 1 + roll(5), count = (size_t)n / width;
        CHECK(M(fread)(x, width, count, sym) == fread(y, width, count, real), "fread %zu of %zu", count, width);
        CHECK(memcmp(x, y, sizeof x) == 0, "fread bytes");
        break;
    }
    case 8:
        from = (int)roll(3), n = from == SEEK_END ? -n / 2 : from == SEEK_CUR ? n / 2 - 5 : n;
        c = M(fseek)(sym, n, from);
        CHECK(c == fseek(real, n, from), "fseek %ld %d", n, from);
        if (c) M(rewind)(sym), rewind(real); /* whether a pushed-back character survives is the library's secret */
        break;
    case 9: CHECK(M(ftell)(sym) == ftell(real), "ftell %ld %ld", M(ftell)(sym), ftell(real)); break;
    case 10:
        if (roll(4)) break;
        M(rewind)(sym), rewind(real);
        break;
    case 11: CHECK(!M(feof)(sym) == !feof(real) && !M(ferror)(sym) == !ferror(real), "feof %d %d", M(feof)(sym), feof(real)); break;
    case 12:
        if (roll(2)) {
            M(clearerr)(sym), clearerr(real);
        } else if (roll(2)) {
            M(fgetpos)(sym, &at_x), fgetpos(real, &at_y);
        } else if (at_x.__pos == at_y.__pos && at_x.__pos >= 0) {
            M(fsetpos)(sym, &at_x), fsetpos(real, &at_y);
        }
        break;
    case 13:
        c = roll(2) ? '\n' : 'e';
        p = M(getdelim)(&line_x, &room_x, c, sym), q = getdelim(&line_y, &room_y, c, real);
        CHECK(p == q && (p < 0 || memcmp(line_x, line_y, (size_t)p + 1) == 0), "getdelim %zd %zd", p, q);
        break;
    default: /* between reading and writing a program has to seek */
        n = roll(40);
        if (M(fseek)(sym, n, SEEK_SET) | fseek(real, n, SEEK_SET)) break;
        CHECK(M(fprintf)(sym, "%d-%s", (int)n, "text") == fprintf(real, "%d-%s", (int)n, "text"), "fprintf");
        CHECK(M(fwrite)(x, 3, 4, sym) == fwrite(y, 3, 4, real), "fwrite");
        CHECK(M(fputc)('!', sym) == fputc('!', real), "fputc");
        M(fseek)(sym, 0, SEEK_SET), fseek(real, 0, SEEK_SET);
    }
}

static void walk_stream(size_t most) {
    FILE *sym, *real;
    int i, writable = roll(4) == 0;
    contents(most);
    sym = M(fopen)("sym", writable ? "r+" : "r"), real = fopen(path, writable ? "r+" : "r");
    long before = failures;
    for (i = 0; i < 40 && failures == before; i++) step(sym, real, writable);
    if (!writable) CHECK(M(fputc)('x', sym) == fputc('x', real) && M(ferror)(sym) && ferror(real), "write to a reader");
    CHECK(M(fclose)(sym) == fclose(real), "fclose");
}

static void walk_descriptor(size_t most) {
    char x[400], y[400];
    struct stat of_x, of_y;
    int sym, real, i;
    long n;
    contents(most);
    sym = M(open)("sym", O_RDONLY), real = open(path, O_RDONLY);
    CHECK(sym + 1 == real, "descriptor numbers %d %d", sym, real);
    for (i = 0; i < 15; i++) {
        memset(x, '#', sizeof x), memset(y, '#', sizeof y);
        n = roll(3) ? roll(30) : roll(400);
        switch (roll(5)) {
        case 0: case 1:
            CHECK(M(read)(sym, x, (size_t)n) == read(real, y, (size_t)n) && !memcmp(x, y, sizeof x), "read %ld", n);
            break;
        case 2:
            CHECK(M(pread)(sym, x, 20, n) == pread(real, y, 20, n) && !memcmp(x, y, sizeof x), "pread %ld", n);
            break;
        case 3: {
            int from = (int)roll(3);
            n = from == SEEK_END ? -n / 2 : n / 2 - 5;
            CHECK(M(lseek)(sym, n, from) == lseek(real, n, from), "lseek %ld %d", n, from);
            break;
        }
        default:
            M(fstat)(sym, &of_x), fstat(real, &of_y);
            CHECK(of_x.st_size == of_y.st_size && S_ISREG(of_x.st_mode), "fstat");
        }
    }
    CHECK(M(write)(sym, "x", 1) == write(real, "x", 1), "write to a reader");
    if (shim_file_size) {
        void *map = M(mmap)(NULL, shim_file_size, PROT_READ, MAP_PRIVATE, sym, 0);
        CHECK(memcmp(map, shim_file, shim_file_size) == 0, "mmap");
        munmap(map, shim_file_size);
    }
    i = M(dup)(sym);
    M(lseek)(sym, 0, SEEK_SET), lseek(real, 0, SEEK_SET);
    CHECK(M(read)(i, x, 7) == read(real, y, 7) && M(lseek)(sym, 0, SEEK_CUR) == lseek(real, 0, SEEK_CUR), "dup");
    CHECK(M(close)(i) == 0 && M(close)(sym) == 0 && M(close)(sym) == -1, "close");
    close(real);
    M(stat)("sym", &of_x);
    CHECK(of_x.st_size == (off_t)shim_file_size && M(access)("sym", R_OK) == 0, "stat");
}

static void standard_input(void) {
    char line[100];
    int a = 0, b = 0, i;
    FILE *other;
    shim_file_size = (size_t)sprintf((char *)shim_file, "12 34\nhello\nab%s", "rest");
    CHECK(M(scanf)("%d %d", &a, &b) == 2 && a == 12 && b == 34, "scanf %d %d", a, b);
    CHECK(M(getchar)() == '\n', "getchar");
    CHECK(M(gets)(line) && !strcmp(line, "hello"), "gets");
    CHECK(M(fgetc)(stdin) == 'a' && M(fileno)(stdin) == 0 && M(isatty)(0) == 0, "stdin");
    CHECK(M(setvbuf)(stdin, NULL, _IONBF, 0) == 0 && M(fflush)(stdin) == 0, "setvbuf");
    for (i = 0; M(getchar)() != EOF; i++) {}
    CHECK(i == 5 && M(feof)(stdin) && M(getchar)() == EOF && M(read)(0, line, 9) == 0, "end of input");
    CHECK(M(freopen)("sym", "r", stdin) == stdin && M(getchar)() == '1', "freopen");
    CHECK(M(freopen)(path, "r", stdin) == stdin, "freopen of a real file");
    other = M(fopen)(path, "r");
    CHECK(other && M(fgetc)(other) == M(getchar)(), "native streams");
    __covet_end_run();
}

int main(void) {
    int i;
    close(mkstemp(path));
    shim_stdin = 1;
    for (shim_mode = 1; shim_mode < 3; shim_mode++)
        for (i = 0; i < 1500; i++) {
            walk_stream(roll(3) ? 60 : 300);
            walk_descriptor(roll(3) ? 60 : 300);
            if (i % 20 == 0) walk_stream(20000);
        }
    standard_input();
    unlink(path);
    return finish();
}
