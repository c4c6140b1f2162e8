//! C in, logs out: what instrumented code says of its control flow and its calls when a run asks for it, and that it says nothing else.

use crate::common::{Program, Session};
use covet_abi::logs::Logs;
use covet_abi::node::Op;
use covet_execute::{Argument, Call, Run};
use covet_instrument::Options;
use covet_sites::FunctionNumber;

const SOURCE: &str = r#"
#include <setjmp.h>
#include <stdlib.h>

int loop(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i > 1 ? 2 : 1;
    return sum;
}

static int leaf(int x, double weight) { return x > 3 ? (int)weight : x; }
static int constant(void) { return 7; }
int nested(int x) { return leaf(x + 1, 2.0) + leaf(5, 3.0) + constant(); }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int sorted(int x) {
    int all[3] = { 3, x, 2 };
    qsort(all, 3, sizeof *all, compare);
    return all[0];
}

static jmp_buf target;
static void deep(int depth) {
    if (depth == 0)
        longjmp(target, 1);
    deep(depth - 1);
}
int jumps(int x) {
    if (setjmp(target) == 0)
        deep(2);
    return constant() + x;
}
"#;

/// A program whose runs keep logs.
struct Logged {
    program: Program,
    session: Session,
}

impl Logged {
    fn new() -> Logged {
        let program = Program::of(&[("unit.c", SOURCE)], Options::default());
        Logged { session: program.session(), program }
    }

    fn number(&self, name: &str) -> FunctionNumber {
        self.program.function(name).number
    }

    fn run(&mut self, entry: &str, x: i32, logs: Logs) -> Run {
        let entry = self.number(entry);
        self.session.call(entry, &[x], |input| input.logs = logs)
    }

    /// The counters of a function as they were bumped, numbered from its entry.
    fn unfolded(&self, run: &Run, name: &str) -> Vec<u32> {
        let info = self.program.function(name);
        let own = info.counter_start.0..info.counter_start.0 + info.counter_len;
        run.control_flow.iter().filter(|counter| own.contains(&counter.0)).map(|c| c.0 - info.counter_start.0).collect()
    }

    /// The call log as text: callees with their arguments, in brackets what happened inside.
    fn calls(&self, run: &Run) -> String {
        let mut text = String::new();
        let name = |number: FunctionNumber| self.program.map().functions[number.index()].name.clone();
        for call in &run.calls {
            match call {
                Call::Entered { callee, arguments, .. } => {
                    let arguments: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
                    text += &format!("{}({}) {{ ", name(*callee), arguments.join(", "));
                }
                Call::Returned { .. } => text += "} ",
            }
        }
        text.trim_end().to_owned()
    }

    fn argument(&self, argument: &Argument) -> String {
        match Op::from_u8(self.session.worker.nodes()[argument.expr as usize].op) {
            Some(op) => format!("{} {}", op.name(), argument.value as i32),
            None if argument.width == 64 => f64::from_bits(argument.value as u64).to_string(),
            None => (argument.value as i32).to_string(),
        }
    }
}

#[test]
fn runs_log_what_they_are_asked_for() {
    let mut logged = Logged::new();
    let both = Logs::CONTROL_FLOW.with(Logs::CALLS);

    for rounds in 0..4 {
        let run = logged.run("loop", rounds, Logs::CONTROL_FLOW);
        let flow = logged.unfolded(&run, "loop");
        // The entry, then the test of each round with what was chosen in it, then the test that ends it.
        assert_eq!(flow.len() as i32, 2 + 2 * rounds, "{flow:?}");
        assert_eq!(flow[0], 0);
        assert_eq!(run.control_flow.len(), flow.len(), "all of it is of the user's function");
        assert!(run.calls.is_empty());
        // Every counter is in the log as often as it counts.
        for (counter, count) in run.covered.iter().filter(|(counter, _)| run.control_flow.contains(counter)) {
            assert_eq!(run.control_flow.iter().filter(|logged| *logged == counter).count(), *count as usize);
        }
    }

    let run = logged.run("nested", 4, both);
    let expected = "nested(Var 4) { leaf(Add 5, 2) { } leaf(5, 3) { } constant() { } }";
    assert_eq!(logged.calls(&run), expected);
    assert_eq!(logged.unfolded(&run, "nested"), [0]);
    let [Call::Entered { caller: None, .. }, Call::Entered { caller, .. }, ..] = &run.calls[..] else { panic!() };
    assert_eq!(*caller, Some(logged.number("nested")));

    // Called by the model of `qsort`, which is no function of the user's.
    let run = logged.run("sorted", 1, Logs::CALLS);
    let compared = run.calls.iter().filter(|call| match call {
        Call::Entered { caller, callee, .. } => {
            *callee == logged.number("compare") && *caller == Some(logged.number("sorted"))
        }
        Call::Returned { .. } => false,
    });
    assert!(compared.count() >= 2, "{}", logged.calls(&run));

    // A jump leaves three functions at once.
    let run = logged.run("jumps", 1, Logs::CALLS);
    let expected = "jumps(Var 1) { deep(2) { deep(1) { deep(0) { } } } constant() { } }";
    assert_eq!(logged.calls(&run), expected);
}

#[test]
fn logs_change_nothing_else() {
    let mut logged = Logged::new();
    let both = Logs::CONTROL_FLOW.with(Logs::CALLS);
    for entry in ["loop", "nested", "sorted", "jumps"] {
        for x in [0, 1, 5] {
            let (silent, kept) = (logged.run(entry, x, Logs::NONE), logged.run(entry, x, both));
            assert!(silent.control_flow.is_empty() && silent.calls.is_empty());
            assert!(!kept.control_flow.is_empty() && !kept.calls.is_empty());
            let trace = |run: &Run| (run.termination, run.returned, run.events.clone(), run.fingerprint);
            assert_eq!(trace(&silent), trace(&kept), "{entry}({x})");
        }
    }
}
