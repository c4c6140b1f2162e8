//! Functions with stubs beside them: each run says which of them are called instead.

use crate::common::Bench;
use covet_execute::Run;

const SOURCE: &str = "
static int hidden(int x) { return x + 1; }
int shown(int x) { return hidden(x) * 10; }
int sum(int x) { return hidden(x) + shown(x); }
";

fn names<'b>(bench: &'b Bench, run: &Run) -> Vec<&'b str> {
    run.order.iter().map(|id| bench.variables.get(*id).name.as_str()).collect()
}

#[test]
fn a_run_is_a_run_of_the_stubs_it_names() {
    let mut bench = Bench::new(SOURCE, |config| config.replaceable = ["hidden", "shown"].map(str::to_owned).into());
    let stubs = bench.program.replacements.functions.iter().map(|replaced| (replaced.name.clone(), replaced.number));
    assert_eq!(stubs.collect::<Vec<_>>(), [("hidden".to_owned(), 0), ("shown".to_owned(), 1)]);
    let cases: [(&[u32], u64, &[&str]); 5] = [
        (&[], 33, &["arg.x"]),
        (&[0], 0, &["arg.x", "stub.hidden", "stub.hidden#2"]),
        (&[], 33, &["arg.x"]),
        (&[1], 3, &["arg.x", "stub.shown"]),
        (&[0, 1], 0, &["arg.x", "stub.hidden", "stub.shown"]),
    ];
    for (stubs, returned, used) in cases {
        let run = bench.run("sum", &[2], |input| input.stubs = stubs.iter().copied().collect());
        assert_eq!((run.returned, names(&bench, &run)), (returned, used.to_vec()), "{stubs:?}");
    }
    // The function itself is still what it is.
    let own = bench.call("shown", &[2]);
    assert_eq!(own.returned, 30);
}
