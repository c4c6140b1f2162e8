//! The logs of `abi::logs`: the user's functions keep them in their slow copy, and are there from their entry on while a run keeps any.
//!
//! ```text
//! covet.entry:   %for = load ptr, ptr @__covet_args_for        ; at rest: null, or not while something is logged
//!                br (%for == null), fast, covet.called         ; the only thing that code pays that logs nothing
//! covet.called:  br (%for == @f), covet.args, covet.other
//! covet.args:    shadows of the parameters, as ever;           br (@__covet_logs == 0), slow, covet.logged
//! covet.other:   somebody else's;                              br (@__covet_logs == 0), fast, covet.logged
//! covet.logged:  call @covet.counted(i64 counter)              ; if (@__covet_logs & 1) __covet_counted(counter)
//!                call @covet.entered(i32 number)               ; if (@__covet_logs & 2) ...
//!                call @covet.argument.i32(i32 %sa, i32 %a)     ; for each leaf
//!                br slow
//! slow:          counters[k] += 1; call @covet.counted(i64 k)
//!                call @covet.returned(i32 number); ret ...
//! ```

use super::Rewriter;
use crate::ir::{Block, LLVMIntPredicate, LLVMOpcode, Type, Value};
use crate::tracking::guards::{Body, type_key};
use crate::tracking::shadow::{Leaf, Shadow};
use covet_abi::logs::Logs;

impl Rewriter<'_> {
    /// Whether what happens at this point is to be logged.
    fn is_logged(&self) -> bool {
        self.is_users() && self.fast.is_none()
    }

    /// Ends the entry block of a user's function: to `read` with arguments for us, to `logged` without but with something to log, and
    /// else to `fast`.
    pub(super) fn choose_copy(&mut self, read: Option<Block>, logged: Block, fast: Block) {
        let wanted = self.emit.load(self.emit.ptr, self.guards.hooks.arguments_for);
        let called = self.emit.prepend_block(logged, "covet.called");
        self.emit.likely(self.emit.branch(self.emit.is_zero(wanted), fast, called));
        self.emit.at_end(called);
        if let Some(read) = read {
            let other = self.emit.prepend_block(logged, "covet.other");
            let is_ours = self.emit.compare(LLVMIntPredicate::LLVMIntEQ, wanted, self.function);
            self.emit.branch(is_ours, read, other);
            self.emit.at_end(other);
        }
        self.unless_logging(fast, logged);
    }

    /// Ends a block: to `silent` when nothing is logged.
    pub(super) fn unless_logging(&self, silent: Block, logged: Block) {
        let logs = self.emit.load(self.emit.i64, self.guards.hooks.logs);
        self.emit.likely(self.emit.branch(self.emit.is_zero(logs), silent, logged));
    }

    /// The block that logs that this function is entered, and goes on with `slow`.
    pub(super) fn log_entry(&mut self, slow: Block) -> Block {
        let block = self.emit.prepend_block(slow, "covet.logged");
        self.emit.at_end(block);
        let counter = self.numbering.functions[self.number.index()].counter_start;
        self.log_counter(self.emit.i64.constant(u64::from(counter.0)));
        let number = self.number32(self.number.0);
        self.log_call("entered", &[number], |body| body.emit.call(body.hooks.entered, &body.parameters));
        for parameter in self.function.parameters() {
            let leaves = self.leaves(parameter);
            let ids: Shadow = match self.parameters.get(&parameter) {
                Some(slots) => self.load_slots(slots),
                None => vec![self.concrete(); leaves.len()],
            };
            match leaves[..] {
                [leaf] if leaf.is_tracked() => self.log_leaf(ids[0], parameter, leaf),
                _ => ids.into_iter().for_each(|id| self.log_untracked(id)),
            }
        }
        self.emit.jump(slow);
        block
    }

    fn log_leaf(&mut self, id: Value, value: Value, leaf: Leaf) {
        self.log_call(&format!("argument.{}", type_key(&leaf)), &[id, value], |body| {
            let (low, high) = body.halves(body.parameters[1], &leaf);
            let width = body.number(u64::from(leaf.width));
            body.emit.call(body.hooks.argument, &[body.parameters[0], width, low, high])
        });
    }

    fn log_untracked(&mut self, id: Value) {
        self.log_call("argument", &[id], |body| {
            let (width, nothing) = (body.number(0), body.wide_number(0));
            body.emit.call(body.hooks.argument, &[body.parameters[0], width, nothing, nothing])
        });
    }

    /// A counter was bumped just before.
    pub fn log_bump(&mut self, bump: Value) {
        if self.is_logged() {
            self.log_counter(bump.operand(0));
        }
    }

    fn log_counter(&mut self, counter: Value) {
        self.log("counted", Logs::CONTROL_FLOW, &[counter], |body| {
            let counter = body.emit.cast(LLVMOpcode::LLVMTrunc, body.parameters[0], body.emit.i32);
            body.emit.call(body.hooks.counted, &[counter])
        });
    }

    /// This function is about to return.
    pub fn log_return(&mut self) {
        if self.is_logged() {
            let number = self.number32(self.number.0);
            self.log_call("returned", &[number], |body| body.emit.call(body.hooks.returned, &body.parameters));
        }
    }

    /// How many calls are open where somebody may jump back to.
    pub fn open_calls(&mut self) -> Option<Value> {
        self.is_logged().then(|| self.log_call("open_calls", &[], |body| body.emit.call(body.hooks.open_calls, &[])))
    }

    /// Somebody may just have jumped back.
    pub fn log_jump(&mut self, open: Option<Value>) {
        if let Some(open) = open {
            self.log_call("jumped_back", &[open], |body| body.emit.call(body.hooks.jumped_back, &body.parameters));
        }
    }

    fn log_call(&mut self, name: &str, arguments: &[Value], slow: impl FnOnce(&Body) -> Value) -> Value {
        self.log(name, Logs::CALLS, arguments, slow)
    }

    /// Does `slow`, which gives an `i32`, if this log is kept.
    fn log(&mut self, name: &str, log: Logs, arguments: &[Value], slow: impl FnOnce(&Body) -> Value) -> Value {
        let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
        let guard = self.guards.function(name, &types, self.emit.i32, |body| {
            let logs = body.emit.load(body.emit.i64, body.hooks.logs);
            let kept = body.emit.binary(LLVMOpcode::LLVMAnd, logs, body.wide_number(u64::from(log.0)));
            body.unless(body.emit.is_zero(kept), body.emit.i32.null(), slow);
        });
        self.emit.call(guard, arguments)
    }
}
