//! Calls: shadows travel beside the arguments, and back with the result.
//!
//! ```text
//!   %r = call i32 @f(i32 %a, ptr %p)                         ; f is instrumented too
//! ; becomes
//!   call @covet.arguments.2(i32 %sa, i32 %sp, ptr @f, ...)   ; stores them in __covet_args if one is not 0
//!   %r = call i32 @f(i32 %a, ptr %p)
//!   %s = load i32, ptr @__covet_ret
//! ```
//!
//! A pure library function becomes a term (`library.rs`). Any other without a body or model gets concrete values: its symbolic arguments
//! get concretization constraints and it is counted by name.

mod intrinsics;
mod library;
mod marking;
mod memory_intrinsics;
pub mod variadic;
mod wide_intrinsics;

use crate::function::Rewriter;
use crate::ir::{Value, intrinsic_name, size};
use crate::tracking::shadow::Shadow;
use covet_abi::event::Concretization;
use covet_abi::hooks::{ARGUMENT_SLOTS, ArgumentClass, RESULT_SLOTS};
use covet_abi::symbols::OURS;
use covet_sites::SiteKind;

/// Functions that only print: what they are given does not come back.
const SINKS: &[&str] = &[
    "printf",
    "fprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "write",
    "perror",
    "putchar_unlocked",
    "putc_unlocked",
    "fputs_unlocked",
    "fflush",
    "syslog",
    "__printf_chk",
    "__fprintf_chk",
    "putw",
];

/// Functions that return a second time: locals live in memory there.
const SETJMP: &[&str] = &["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "vfork"];

impl Rewriter<'_> {
    pub fn call(&mut self, instruction: Value) {
        let callee = instruction.callee();
        if callee.is_inline_assembly() {
            return self.concretise_operands(instruction, Concretization::InlineAsm);
        }
        if !callee.is_function() {
            return self.indirect_call(instruction, callee);
        }
        let name = callee.name();
        if let Some(kind) = crate::function::markers::kind_of(&name) {
            return self.marker(instruction, kind);
        }
        if crate::rules::bounds::is_marker(&name) {
            return self.array_bounds(instruction);
        }
        if crate::function::vectors::is_marker(&name) {
            return self.vector(instruction);
        }
        if self.numbering.is_bump(callee) {
            self.emit.after(instruction);
            return self.log_bump(instruction);
        }
        if name.starts_with("covet.") {
            return;
        }
        if intrinsic_name(callee).is_some() {
            return self.intrinsic(instruction, &name);
        }
        match name.as_str() {
            "klee_make_symbolic" | "covet_symbolic" if callee.is_declaration() => return self.mark(instruction),
            _ => {}
        }
        let is_known = self.numbering.number_of.contains_key(&callee);
        self.hand_over(instruction, !is_known && !name.starts_with(OURS));
        if is_known {
            self.emit.before(instruction);
            self.pass_arguments(instruction, callee);
            self.emit.after(instruction);
            self.take_results(instruction);
        } else if name.starts_with(OURS) {
            self.runtime_call(instruction, callee);
        } else {
            self.external_call(instruction, &name);
        }
    }

    fn indirect_call(&mut self, instruction: Value, callee: Value) {
        self.hand_over(instruction, false);
        self.emit.before(instruction);
        if !self.is_concrete(self.shadow_of_scalar(callee)) {
            let site = self.numbering.site(self.number, SiteKind::Indirect, instruction, 0, Vec::new(), 0).number;
            self.target(callee, site);
        }
        self.pass_arguments(instruction, callee);
        self.clear_results(instruction);
        self.emit.after(instruction);
        self.take_results(instruction);
    }

    /// A function of the runtime: it may look at the arguments' shadows, but does not clear them.
    fn runtime_call(&mut self, instruction: Value, callee: Value) {
        self.emit.before(instruction);
        let passed = self.pass_arguments(instruction, callee);
        self.clear_results(instruction);
        self.emit.after(instruction);
        if passed {
            self.put_arguments_to_rest();
        }
        self.take_results(instruction);
    }

    fn external_call(&mut self, instruction: Value, name: &str) {
        let shadows: Shadow = instruction.arguments().iter().flat_map(|argument| self.shadow(*argument)).collect();
        if SINKS.contains(&name) {
            self.emit.before(instruction);
            return self.count(&shadows, Concretization::Output);
        }
        if SETJMP.contains(&name) {
            // A jump back here leaves behind the objects of the functions it left.
            let (top, open) = (self.emit.load(self.emit.i64, self.guards.hooks.object_top), self.open_calls());
            self.emit.after(instruction);
            self.emit.store(top, self.guards.hooks.object_top);
            self.log_jump(open);
            return;
        }
        let live: Shadow = shadows.into_iter().filter(|shadow| !self.is_concrete(*shadow)).collect();
        if live.is_empty() {
            return;
        }
        self.emit.before(instruction);
        if let Some(shadow) = self.library_call(instruction, name) {
            return self.set_shadow(instruction, vec![shadow]);
        }
        self.announce_external(&live, name);
        for argument in instruction.arguments() {
            self.concretise(argument, Concretization::External);
        }
    }

    /// Counts a use of an unmodelled function by name, when one of `live` is symbolic.
    pub fn announce_external(&mut self, live: &[Value], name: &str) {
        let number = self.numbering.external(name);
        let guard = self.guards.on_shadows(&format!("external.{}", live.len()), live.len(), &[self.emit.i32], |body| {
            body.emit.call(body.hooks.external, &body.parameters[live.len()..])
        });
        let mut arguments = live.to_vec();
        arguments.push(self.number32(number));
        self.emit.call(guard, &arguments);
    }

    /// Hands over the shadows of a call's arguments. True if there can be any.
    fn pass_arguments(&mut self, instruction: Value, callee: Value) -> bool {
        let ty = instruction.called_type();
        let named = ty.parameter_count();
        let (mut shadows, mut classes) = (Vec::new(), Vec::new());
        // Not 0 when a structure passed by value holds something symbolic.
        let mut copied = self.concrete();
        for (index, argument) in instruction.arguments().into_iter().enumerate() {
            if let Some(copy) = instruction.by_value_type(index as u32) {
                let bytes = size(copy, self.layout);
                let words = if index < named { 1 } else { bytes.div_ceil(8) as usize };
                shadows.extend(std::iter::repeat_n(self.concrete(), words));
                classes.extend(std::iter::repeat_n(ArgumentClass::Word, words));
                self.note_source(index, argument);
                let hit = self.present(argument, bytes);
                copied = self.emit.or(copied, hit);
            } else {
                shadows.extend(self.shadow(argument));
                classes.extend(self.leaves(argument).iter().map(variadic::class));
            }
        }
        shadows.truncate(ARGUMENT_SLOTS);
        if self.all_concrete(&shadows) && self.is_concrete(copied) {
            return false;
        }
        let classes = if ty.is_variadic() { self.class_table(&classes) } else { self.emit.ptr.null() };
        let count = shadows.len();
        let types = [self.emit.ptr, self.emit.ptr];
        let shared = *self.variadic;
        let guard = self.guards.on_shadows(&format!("arguments.{count}"), count + 1, &types, |body| {
            let emit = body.emit;
            for (index, shadow) in body.parameters[1..=count].iter().enumerate() {
                let slot = emit.element(emit.i32, body.hooks.arguments, emit.i64.constant(index as u64));
                emit.store(*shadow, slot);
            }
            emit.store(body.parameters[count + 1], body.hooks.arguments_for);
            emit.store(body.parameters[count + 2], shared.classes);
            emit.store(emit.i32.constant(count as u64), shared.count);
            emit.i32.null()
        });
        let mut all = vec![copied];
        all.extend(shadows);
        all.extend([callee, classes]);
        self.emit.call(guard, &all);
        true
    }

    fn clear_results(&mut self, instruction: Value) {
        let zeros = vec![self.concrete(); self.leaves(instruction).len()];
        self.store_results(&zeros);
    }

    fn take_results(&mut self, instruction: Value) {
        if self.fast.is_some() {
            return self.leave_after_call(instruction);
        }
        let all = self.leaves(instruction);
        let mut shadow = self.result_shadows(all.len().min(RESULT_SLOTS));
        shadow.resize(all.len(), self.concrete());
        for (leaf, id) in all.iter().zip(&mut shadow) {
            if !leaf.is_tracked() {
                *id = self.concrete();
            }
        }
        self.set_shadow(instruction, shadow);
    }

    /// `asm goto`: concrete, like all assembly.
    pub fn assembly_jump(&mut self, instruction: Value) {
        self.concretise_operands(instruction, Concretization::InlineAsm);
    }
}
