/* Takes the place of functions that a test program might rely on for its own protection. */
#include <fcntl.h>
#include <unistd.h>

int attack(int which);

void __gcov_init(void *unused) { (void)unused; }
long syscall(long number, ...) { return number < 0; }
int prctl(int option, ...) { return option < 0; }

int overrides(int x)
{
    if (x == 5)
        return attack(0);
    return open(VICTIM "/override", O_WRONLY | O_CREAT, 0644) >= 0 ? 99 : x > 0;
}
