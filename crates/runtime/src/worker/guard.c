/* Leaving a run from anywhere: a run starts on its own stack under a saved context; `covet_leave` throws all of its
 * frames away and goes back there. Rust cannot call `setjmp` soundly, so this is C.
 *
 * Invariant: the saved context is only valid while `covet_guard` is on the stack; the Rust side tracks that
 * (`signals::ACTIVE`) and never calls `covet_leave` otherwise. Masks are not saved: the handlers do not block anything. */

#include <setjmp.h>
#include <stddef.h>

typedef void run_function(void *);

extern int __covet_user_main(int argc, char **argv, char **envp) __attribute__((weak));
extern void __covet_end_run(void) __attribute__((weak));
extern int __covet_refused(unsigned number) __attribute__((weak));
extern const char __covet_program[] __attribute__((weak));
/* Writes the addresses of this thread's copies of thread-local variables into the program's tables. */
extern void __covet_place_thread_locals(void) __attribute__((weak));

/* Calls `function(argument)` on the stack that ends at `top`. The chain of frame pointers is cut there, so that stack
 * walks end at the bottom of the run. */
void covet_call_on_stack(run_function *function, void *argument, void *top);

__asm__(".text\n"
        ".globl covet_call_on_stack\n"
        ".hidden covet_call_on_stack\n"
        ".type covet_call_on_stack, %function\n"
        "covet_call_on_stack:\n"
#if defined(__x86_64__)
        "pushq %rbx\n"
        "pushq %rbp\n"
        "movq %rsp, %rbx\n"
        "movq %rdx, %rsp\n"
        "xorl %ebp, %ebp\n"
        "movq %rdi, %rax\n"
        "movq %rsi, %rdi\n"
        "callq *%rax\n"
        "movq %rbx, %rsp\n"
        "popq %rbp\n"
        "popq %rbx\n"
        "retq\n"
#elif defined(__aarch64__)
        "stp x29, x30, [sp, #-32]!\n"
        "str x19, [sp, #16]\n"
        "mov x19, sp\n"
        "mov sp, x2\n"
        "mov x29, xzr\n"
        "mov x9, x0\n"
        "mov x0, x1\n"
        "blr x9\n"
        "mov sp, x19\n"
        "ldr x19, [sp, #16]\n"
        "ldp x29, x30, [sp], #32\n"
        "ret\n"
#else
#error "no stack switch for this processor"
#endif
        ".size covet_call_on_stack, . - covet_call_on_stack\n");

static sigjmp_buf context;

/* Runs `function(argument)` on the stack that ends at `top`; 0 when it returned, otherwise what `covet_leave` was given. */
int covet_guard(run_function *function, void *argument, void *top) {
    int left = sigsetjmp(context, 0);
    if (left == 0) covet_call_on_stack(function, argument, top);
    return left;
}

_Noreturn void covet_leave(int why) { siglongjmp(context, why); }

/* The program's own `main`, or NULL when it has none. */
const void *covet_user_main(void) { return (const void *)__covet_user_main; }

/* The program's tables, or NULL in one that was not instrumented. */
const void *covet_program(void)
{
    if (__covet_place_thread_locals)
        __covet_place_thread_locals();
    return __covet_program;
}

/* Lets the library models let go of what a run has opened, in programs that have models. */
void covet_end_models(void *unused) {
    (void)unused;
    if (__covet_end_run) __covet_end_run();
}

/* Whether allocation `number` of a run fails; none does in programs without models. */
int __covet_ask_refused(unsigned number) { return __covet_refused ? __covet_refused(number) : 0; }
