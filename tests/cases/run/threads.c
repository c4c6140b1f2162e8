// With a second thread the program is followed no further, only run: what was solved before it still counts.
// covet: run % --stdin 2 -- -pthread
#include <pthread.h>
#include <stdio.h>
static int total;
static void *add(void *p)
{
    total += *(int *)p;
    return 0;
}
int main(void)
{
    int c = getchar();
    if (c == 'p')
        total = 5;
    pthread_t thread;
    if (pthread_create(&thread, 0, add, &c))
        return 9; /* never */
    pthread_join(thread, 0);
    if (total == 'p' + 5)
        return 1;
    return 0;
}
