/* Leaving a run from anywhere: a run starts on its own stack under a saved context; `covet_leave` throws all of its
 * frames away and goes back there. Rust cannot call `setjmp` soundly, so this is C.
 *
 * Invariant: the saved context is only valid while `covet_guard` is on the stack; the Rust side tracks that
 * (`signals::ACTIVE`) and never calls `covet_leave` otherwise. Masks are not saved: the handlers do not block anything. */

#include <setjmp.h>
#include <stdint.h>

extern int __covet_user_main(int argc, char **argv, char **envp) __attribute__((weak));

static sigjmp_buf context;

/* Calls `function(argument)` on the stack that ends at `top`. The frame pointer chain is cut there, so that stack walks
 * end at the bottom of the run. */
#if defined(__x86_64__)
__attribute__((naked, noinline)) static void call_on_stack(void (*function)(void *), void *argument, void *top) {
    __asm__ volatile("pushq %rbx\n\t"
                     "pushq %rbp\n\t"
                     "movq %rsp, %rbx\n\t"
                     "movq %rdx, %rsp\n\t"
                     "xorl %ebp, %ebp\n\t"
                     "movq %rdi, %rax\n\t"
                     "movq %rsi, %rdi\n\t"
                     "callq *%rax\n\t"
                     "movq %rbx, %rsp\n\t"
                     "popq %rbp\n\t"
                     "popq %rbx\n\t"
                     "retq\n\t");
}
#elif defined(__aarch64__)
__attribute__((naked, noinline)) static void call_on_stack(void (*function)(void *), void *argument, void *top) {
    __asm__ volatile("stp x29, x30, [sp, #-32]!\n\t"
                     "str x19, [sp, #16]\n\t"
                     "mov x19, sp\n\t"
                     "mov sp, x2\n\t"
                     "mov x29, xzr\n\t"
                     "mov x9, x0\n\t"
                     "mov x0, x1\n\t"
                     "blr x9\n\t"
                     "mov sp, x19\n\t"
                     "ldr x19, [sp, #16]\n\t"
                     "ldp x29, x30, [sp], #32\n\t"
                     "ret\n\t");
}
#else
#error "no stack switch for this processor"
#endif

/* Runs `function(argument)` on the stack that ends at `top`; 0 when it returned, otherwise what `covet_leave` was given. */
int covet_guard(void (*function)(void *), void *argument, void *top) {
    int left = sigsetjmp(context, 0);
    if (left == 0) call_on_stack(function, argument, top);
    return left;
}

_Noreturn void covet_leave(int why) { siglongjmp(context, why); }

/* The program's own `main`, or NULL when it has none. */
int (*covet_user_main(void))(int, char **, char **) { return __covet_user_main; }

extern void __covet_end_run(void) __attribute__((weak));
extern const char __covet_program[] __attribute__((weak));

/* Lets the library models let go of what a run has opened, in programs that have models. */
void covet_end_models(void *unused) {
    (void)unused;
    if (__covet_end_run) __covet_end_run();
}

/* The program's tables, or NULL in one that was not instrumented. */
const void *covet_program(void) { return __covet_program; }
