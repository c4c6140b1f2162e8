//! An independent opinion for tests: the query printed as SMT-LIB and given to a plain Z3 as text.

use covet_expr::{Pool, Term, smtlib};
use covet_input::Variables;
use std::ffi::{CStr, CString};
use z3_sys::*;

/// `Some(true)` for satisfiable, `Some(false)` for unsatisfiable, `None` for neither.
pub(crate) fn satisfiable(pool: &Pool, conditions: &[Term]) -> Option<bool> {
    let script = smtlib::script(pool, &Variables::default(), conditions);
    let script = script.replace("(get-model)\n", "");
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
