/* The `main` of every instrumented program, and what must happen before any of its code runs. Both are alone in this
 * file so that a test harness, which brings its own `main`, never pulls them out of the archive. */

int covet_main(int argc, char **argv, char **envp);
void covet_early(void);

/* Instrumented constructors of the program look into the presence map: it must be there before them. */
__attribute__((constructor(101))) static void early(void) { covet_early(); }

int main(int argc, char **argv, char **envp) { return covet_main(argc, argv, envp); }
