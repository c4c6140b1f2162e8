//! An independent opinion for tests: the query printed as SMT-LIB and given to a plain Z3 as text.

use covet_expr::{Pool, Term, smtlib};
use covet_input::Variables;
use std::ffi::{CStr, CString};
use z3_sys::*;

/// `Some(true)` for satisfiable, `Some(false)` for unsatisfiable, `None` for neither.
pub(crate) fn satisfiable(pool: &Pool, conditions: &[Term]) -> Option<bool> {
    let script = smtlib::script(pool, &Variables::default(), conditions);
    let script = script.replace("(get-model)\n", "");
    match satisfiable_script(&script) {
        // With the bits of a NaN open there may be a model that no machine has.
        Some(true) if script.contains(OPEN) => satisfiable_script(&without_nan(&script)).filter(|is_sat| *is_sat),
        answer => answer,
    }
}

/// How a script marks bits that a NaN leaves open.
const OPEN: &str = " ; of a NaN: left open";

/// The script with these bits not those of a NaN.
fn without_nan(script: &str) -> String {
    let mut numbers = String::new();
    for line in script.lines().filter_map(|line| line.strip_suffix(OPEN)) {
        let name = line.split(' ').nth(1).expect("a declaration");
        let sort = if line.contains("BitVec 64") { "11 53" } else { "8 24" };
        numbers.push_str(&format!("(assert (not (fp.isNaN ((_ to_fp {sort}) {name}))))\n"));
    }
    script.replace("(check-sat)", &format!("{numbers}(check-sat)"))
}

fn satisfiable_script(script: &str) -> Option<bool> {
    let text = CString::new(format!("(set-option :timeout 3000)\n{script}")).expect("no zeros in a script");
    // SAFETY: a context of our own; the answer is copied before the context goes.
    let answer = unsafe {
        let config = Z3_mk_config().expect("configuration");
        let context = Z3_mk_context(config).expect("context");
        Z3_set_error_handler(context, None);
        Z3_del_config(config);
        let answer = Z3_eval_smtlib2_string(context, text.as_ptr());
        let answer = CStr::from_ptr(answer).to_string_lossy().into_owned();
        Z3_del_context(context);
        answer
    };
    match answer.trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        other => {
            assert!(
                other.contains("unknown") || other.contains("timeout") || other.contains("canceled"),
                "{other}\n{script}"
            );
            None
        }
    }
}
