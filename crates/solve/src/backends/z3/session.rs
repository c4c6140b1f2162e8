//! One Z3 solver object: conditions asserted in scopes, so that the next query keeps what it shares with the last.

use crate::backends::z3::context::{Ast, Context};
use covet_expr::Term;
use std::ffi::CStr;
use std::ffi::CString;
use z3_sys::*;

/// Conditions per scope: fewer scopes cost less, smaller ones waste less when a query backs up a little.
const PER_SCOPE: usize = 8;

/// How hard one check may try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Z3's resource units.
    pub resources: u32,
    /// Milliseconds; 0 is no limit (and saves the cost of a timer).
    pub milliseconds: u32,
    pub seed: u32,
}

#[derive(Debug)]
pub(crate) struct Session {
    solver: Z3_solver,
    asserted: Vec<Term>,
    /// Length of `asserted` at each open scope.
    scopes: Vec<usize>,
}

/// What the solver object said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    Sat,
    Unsat,
    Unknown,
}

impl Session {
    /// The incremental solver, or one tuned to a logic.
    pub fn new(context: &Context, logic: Option<&CStr>, effort: Effort) -> Option<Session> {
        let c = context.raw();
        // SAFETY: symbols and strings outlive the calls; the solver is referenced until `close`.
        unsafe {
            let solver = match logic {
                None => Z3_mk_simple_solver(c)?,
                Some(logic) => Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, logic.as_ptr())?)?,
            };
            Z3_solver_inc_ref(c, solver);
            set_effort(context, solver, effort);
            Some(Session { solver, asserted: Vec::new(), scopes: Vec::new() })
        }
    }

    /// Gives the solver object back. The context must be the one it was made in.
    pub fn close(self, context: &Context) {
        // SAFETY: referenced in `new`, not used afterwards.
        unsafe { Z3_solver_dec_ref(context.raw(), self.solver) };
    }

    /// Makes exactly `conditions` the asserted ones, the last in a scope of its own. Those without an expression are left
    /// out. False when Z3 gave up on the way: what the session holds then is not known.
    #[must_use]
    pub fn assert_all(&mut self, context: &Context, conditions: &[(Term, Option<Ast>)]) -> bool {
        let common = self.asserted.iter().zip(conditions).take_while(|(a, b)| **a == b.0).count();
        self.back_to(context, common);
        let mut at = self.asserted.len();
        let mut is_fine = true;
        while is_fine && at < conditions.len() {
            let last = conditions.len() - 1;
            let end = if at == last { conditions.len() } else { (at + PER_SCOPE).min(last) };
            self.scopes.push(self.asserted.len());
            // SAFETY: the solver belongs to this context.
            unsafe { Z3_solver_push(context.raw(), self.solver) };
            is_fine = context.is_fine();
            for (condition, ast) in conditions[at..end].iter().take_while(|_| is_fine) {
                self.assert(context, *ast);
                self.asserted.push(*condition);
            }
            at = end;
        }
        is_fine
    }

    /// Asserts for good, in a session of one query: no scopes, so that all conditions are simplified together.
    pub fn assert(&self, context: &Context, condition: Option<Ast>) {
        if let Some(ast) = condition {
            // SAFETY: solver and expression belong to this context.
            unsafe { Z3_solver_assert(context.raw(), self.solver, ast) };
        }
    }

    /// Pops scopes until at most `len` conditions are asserted.
    fn back_to(&mut self, context: &Context, len: usize) {
        let mut popped = 0;
        while self.asserted.len() > len {
            let Some(start) = self.scopes.pop() else { break };
            self.asserted.truncate(start);
            popped += 1;
        }
        if popped > 0 {
            // SAFETY: that many scopes are open.
            unsafe { Z3_solver_pop(context.raw(), self.solver, popped) };
        }
    }

    pub fn check(&self, context: &Context) -> Check {
        // SAFETY: the solver belongs to this context.
        match unsafe { Z3_solver_check(context.raw(), self.solver) } {
            Z3_L_TRUE => Check::Sat,
            Z3_L_FALSE => Check::Unsat,
            _ => Check::Unknown,
        }
    }

    /// Values of variables in the model of the last check; those the model leaves open are absent.
    pub fn model<T: Copy>(&self, context: &Context, variables: impl Iterator<Item = (T, Ast)>) -> Vec<(T, i128)> {
        let c = context.raw();
        let mut values = Vec::new();
        // SAFETY: the model is referenced while in use; variables are constants of this context.
        unsafe {
            let Some(model) = Z3_solver_get_model(c, self.solver) else {
                context.note(false);
                return values;
            };
            Z3_model_inc_ref(c, model);
            for (name, ast) in variables {
                let decl = Z3_to_app(c, ast).and_then(|app| Z3_get_app_decl(c, app));
                if let Some(value) = decl.and_then(|decl| Z3_model_get_const_interp(c, model, decl)) {
                    values.extend(numeral(c, value).map(|bits| (name, bits)));
                }
            }
            Z3_model_dec_ref(c, model);
        }
        values
    }
}

/// The value of a numeral; a bit-vector of 128 bits wraps to negative.
///
/// # Safety
/// `ast` is an expression of context `c`.
unsafe fn numeral(c: Z3_context, ast: Ast) -> Option<i128> {
    let mut small = 0u64;
    // SAFETY: by the caller; the string is copied before the next call.
    unsafe {
        if Z3_get_ast_kind(c, ast) != AstKind::Numeral {
            return None;
        }
        if Z3_get_numeral_uint64(c, ast, &mut small) {
            return Some(i128::from(small));
        }
        let digits = Z3_get_numeral_string(c, ast);
        if digits.is_null() {
            return None;
        }
        let digits = CStr::from_ptr(digits).to_str().ok()?;
        digits.parse::<i128>().or_else(|_| digits.parse::<u128>().map(|bits| bits as i128)).ok()
    }
}

/// # Safety
/// `solver` belongs to `context`.
unsafe fn set_effort(context: &Context, solver: Z3_solver, effort: Effort) {
    let c = context.raw();
    // SAFETY: by the caller; parameters are referenced while in use.
    unsafe {
        let Some(params) = Z3_mk_params(c) else { return };
        Z3_params_inc_ref(c, params);
        for (name, value) in
            [("rlimit", effort.resources), ("timeout", effort.milliseconds), ("random_seed", effort.seed)]
        {
            if value == 0 {
                continue;
            }
            let name = CString::new(name).unwrap_or_default();
            if let Some(symbol) = Z3_mk_string_symbol(c, name.as_ptr()) {
                Z3_params_set_uint(c, params, symbol, value);
            }
        }
        // Z3 would take an interrupt that is meant for the whole command.
        if let Some(symbol) = Z3_mk_string_symbol(c, c"ctrl_c".as_ptr()) {
            Z3_params_set_bool(c, params, symbol, false);
        }
        Z3_solver_set_params(c, solver, params);
        Z3_params_dec_ref(c, params);
    }
}
