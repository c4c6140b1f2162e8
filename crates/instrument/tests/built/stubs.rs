//! Functions with stubs beside them: each run says which of them are called instead.

use crate::common::{Program, Session};
use covet_execute::Run;
use covet_instrument::Options;

const SOURCE: &str = "
static int hidden(int x) { return x + 1; }
int shown(int x) { return hidden(x) * 10; }
int sum(int x) { return hidden(x) + shown(x); }
";

fn names<'s>(session: &'s Session, run: &Run) -> Vec<&'s str> {
    run.order.iter().map(|id| session.variables.get(*id).name.as_str()).collect()
}

#[test]
fn a_run_is_a_run_of_the_stubs_it_names() {
    let program = Program::with_stubs(&[("unit.c", SOURCE)], Options::default(), &["hidden", "shown"]);
    let mut session = program.session();
    let (sum, shown) = (program.function("sum").number, program.function("shown").number);
    let stubs = program.replacements.functions.iter().map(|replaced| (replaced.name.clone(), replaced.number));
    assert_eq!(stubs.collect::<Vec<_>>(), [("hidden".to_owned(), 0), ("shown".to_owned(), 1)]);
    let cases: [(&[u32], u64, &[&str]); 5] = [
        (&[], 33, &["arg.0"]),
        (&[0], 0, &["arg.0", "stub.hidden", "stub.hidden#2"]),
        (&[], 33, &["arg.0"]),
        (&[1], 3, &["arg.0", "stub.shown"]),
        (&[0, 1], 0, &["arg.0", "stub.hidden", "stub.shown"]),
    ];
    for (stubs, returned, used) in cases {
        let run = session.call(sum, &[2], |input| input.stubs = stubs.iter().copied().collect());
        assert_eq!((run.returned, names(&session, &run)), (returned, used.to_vec()), "{stubs:?}");
    }
    // The function itself is still what it is.
    let own = session.call(shown, &[2], |_| {});
    assert_eq!(own.returned, 30);
}
