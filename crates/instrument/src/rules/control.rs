//! Branches, switches, selects and returns.
//!
//! ```text
//!   br i1 %c, ...                   ; preceded by call @covet.branch(i32 %sc, i1 %c, i32 site)
//!   switch i32 %v, ...              ; preceded by call @covet.switch.i32(i32 %sv, i32 %v, i32 site)
//!   ret i32 %v                      ; preceded by store i32 %sv, ptr @__covet_ret
//!   unreachable                     ; preceded by call @__covet_violation, unless a call before it never returns
//! ```

use crate::function::Rewriter;
use crate::function::markers;
use crate::ir::{LLVMOpcode, Value};
use crate::tracking::guards::type_key;
use crate::tracking::shadow::{LeafKind, Shadow};
use covet_abi::check::Check;
use covet_abi::event::Concretization;
use covet_abi::hooks::RESULT_SLOTS;
use covet_abi::node::Op;
use covet_sites::{SiteKind, SiteNumber};

impl Rewriter<'_> {
    /// A marker of `markers.rs`: its site becomes an event, and its outcome is counted where no edge does it.
    pub fn marker(&mut self, marker: Value, kind: SiteKind) {
        let (value, site) = (marker.operand(0), markers::site_of(marker));
        self.emit.before(marker);
        match kind {
            SiteKind::Branch => self.branch_event(value, site),
            SiteKind::Condition => {
                self.branch_event(value, site);
                let counter = self.numbering.sites[site.index()].counter;
                let bump = self.numbering.bump_outcome(&self.emit, counter, value);
                self.log_bump(bump);
            }
            SiteKind::Switch => self.switch(value, site),
            SiteKind::Indirect => self.target(value, site),
            SiteKind::Decided | SiteKind::Check => {}
        }
        marker.erase();
    }

    fn branch_event(&mut self, condition: Value, site: SiteNumber) {
        let shadow = self.shadow_of_scalar(condition);
        if self.is_concrete(shadow) {
            return;
        }
        let guard = self.guards.on_shadows("branch", 1, &[self.emit.i1, self.emit.i32], |body| {
            let taken = body.emit.cast(LLVMOpcode::LLVMZExt, body.parameters[1], body.emit.i32);
            body.emit.call(body.hooks.branch, &[body.parameters[2], body.parameters[0], taken])
        });
        self.emit.call(guard, &[shadow, condition, self.site32(site)]);
    }

    fn switch(&mut self, scrutinee: Value, site: SiteNumber) {
        let shadow = self.shadow_of_scalar(scrutinee);
        if self.is_concrete(shadow) {
            return;
        }
        let leaf = self.leaf(scrutinee);
        if leaf.width > 64 {
            return self.concretise(scrutinee, Concretization::WideInteger);
        }
        let name = format!("switch.{}", type_key(&leaf));
        let guard = self.guards.on_shadows(&name, 1, &[leaf.ty, self.emit.i32], |body| {
            let value = body.low(body.parameters[1], &leaf);
            let width = body.number(u64::from(leaf.width));
            body.emit.call(body.hooks.switch, &[body.parameters[2], body.parameters[0], width, value])
        });
        self.emit.call(guard, &[shadow, scrutinee, self.site32(site)]);
    }

    /// Control is about to go to address `pointer`.
    pub fn target(&mut self, pointer: Value, site: SiteNumber) {
        let shadow = self.shadow_of_scalar(pointer);
        if self.is_concrete(shadow) {
            return;
        }
        let guard = self.guards.on_shadows("target", 1, &[self.emit.ptr, self.emit.i32], |body| {
            let address = body.emit.cast(LLVMOpcode::LLVMPtrToInt, body.parameters[1], body.emit.i64);
            body.emit.call(body.hooks.target, &[body.parameters[2], body.parameters[0], address])
        });
        self.emit.call(guard, &[shadow, pointer, self.site32(site)]);
    }

    pub fn unreachable(&mut self, instruction: Value) {
        let never_returns = |i: &Value| {
            i.opcode() == LLVMOpcode::LLVMCall && {
                let (callee, key) = (i.callee(), "noreturn");
                callee.is_inline_assembly()
                    || callee.is_function() && callee.has_attribute(key)
                    || i.call_has_attribute(key)
            }
        };
        if !self.is_users() || instruction.block().instructions().iter().any(never_returns) {
            return;
        }
        self.emit.before(instruction);
        let site = self.check_site(instruction);
        let check = self.number32(Check::Unreachable as u32);
        self.emit.call(self.guards.hooks.violation, &[self.site32(site), check]);
    }

    pub fn return_value(&mut self, instruction: Value) {
        self.emit.before(instruction);
        if instruction.operand_count() > 0 {
            self.hand_back(instruction.operand(0));
            let shadow = self.shadow(instruction.operand(0));
            self.store_results(&shadow);
        }
        self.forget_frame();
        self.poison_frame(false);
        if let Some(top) = self.object_top {
            if self.has_dynamic_objects {
                self.emit.call(self.guards.hooks.leave, &[top]);
            }
            self.emit.store(top, self.guards.hooks.object_top);
        }
        self.log_return();
    }

    pub fn store_results(&mut self, shadow: &[Value]) {
        for (index, leaf) in shadow.iter().take(RESULT_SLOTS).enumerate() {
            let results = self.guards.hooks.results;
            let slot = self.emit.element(self.emit.i32, results, self.emit.i64.constant(index as u64));
            self.emit.store(*leaf, slot);
        }
    }

    pub fn select(&mut self, instruction: Value) {
        let (condition, a, b) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
        self.emit.before(instruction);
        if condition.ty().is_vector() {
            return self.concretise_operands(instruction, Concretization::Vector);
        }
        let (sa, sb, sc) = (self.shadow(a), self.shadow(b), self.shadow_of_scalar(condition));
        let all = self.leaves(instruction);
        if self.numbering.functions[self.number.index()].is_model && all.len() == 1 && all[0].is_tracked() {
            let shadow = self.choice((sc, condition), (sa[0], a), (sb[0], b));
            return self.set_shadow(instruction, vec![shadow]);
        }
        // The user's selects are branches, marked as such: the path says which arm it is.
        let shadow: Shadow = sa
            .iter()
            .zip(&sb)
            .map(
                |(x, y)| {
                    if self.all_concrete(&[*x, *y]) { self.concrete() } else { self.emit.select(condition, *x, *y) }
                },
            )
            .collect();
        self.set_shadow(instruction, shadow);
    }

    /// The shadow of `condition ? a : b`.
    pub fn choice(
        &mut self,
        (sc, condition): (Value, Value),
        (sa, a): (Value, Value),
        (sb, b): (Value, Value),
    ) -> Value {
        if self.is_concrete(sc) {
            return if self.all_concrete(&[sa, sb]) { self.concrete() } else { self.emit.select(condition, sa, sb) };
        }
        let leaf = self.leaf(a);
        if matches!(leaf.kind, LeafKind::Untracked(_)) {
            return self.concrete();
        }
        let types = [self.emit.i32, self.emit.i32, self.emit.i32, self.emit.i1, leaf.ty, leaf.ty];
        let (name, result) = (format!("choice.{}", type_key(&leaf)), self.emit.i32);
        let guard = self.guards.function(&name, &types, result, |body| {
            let [sc, sa, sb, c, a, b] = body.parameters[..] else { unreachable!("six parameters") };
            let chosen = body.emit.select(c, sa, sb);
            body.unless(body.emit.is_zero(sc), chosen, |body| {
                let width = body.number(u64::from(leaf.width));
                let truth = body.emit.cast(LLVMOpcode::LLVMZExt, c, body.emit.i64);
                let ((al, ah), (bl, bh)) = (body.halves(a, &leaf), body.halves(b, &leaf));
                if leaf.width <= 64 {
                    let op = body.number(Op::Ite as u64);
                    body.emit.call(body.hooks.ternary, &[op, width, sc, sa, sb, truth, al, bl])
                } else {
                    body.emit.call(body.hooks.ite_wide, &[width, sc, sa, sb, truth, al, ah, bl, bh])
                }
            });
        });
        self.emit.call(guard, &[sc, sa, sb, condition, a, b])
    }
}
