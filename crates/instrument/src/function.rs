//! Rewrites one function: every value gets a shadow, every symbolic decision an event.
//!
//! ```text
//! define i32 @f(i32 %a)                        ; before
//!
//! define i32 @f(i32 %a)                        ; after
//! covet.entry:   allocas; is __covet_args_for me?
//! covet.args:    shadows of the parameters from __covet_args
//! covet.start:   phi: 0 or those; entry counter; stack objects noted
//! ...            the old blocks, each instruction preceded or followed by its guard
//! ```
//!
//! Blocks are visited so that definitions come before uses; phis get their shadow phi first and its operands last.

use crate::edges::{self, Sites};
use crate::guards::{Guards, likely};
use crate::ir::{Block, Emit, Value};
use crate::numbering::Numbering;
use crate::shadow::{Leaf, Shadow, leaves};
use covet_abi::event::Reason;
use covet_sites::SiteNumber;
use inkwell::llvm_sys::LLVMIntPredicate;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::targets::TargetData;
use std::collections::{HashMap, HashSet};

/// Argument and result leaves that travel with their shadow; further ones are concrete.
pub const ARGUMENT_SLOTS: usize = 64;
pub const RESULT_SLOTS: usize = 8;

pub struct Rewriter<'m> {
    pub numbering: &'m mut Numbering,
    pub guards: &'m mut Guards,
    pub layout: &'m TargetData,
    pub variadic: &'m crate::variadic::Shared,
    pub emit: Emit,
    pub function: Value,
    pub number: u32,
    pub sites: Sites,
    /// Top of the stack objects on entry, when this function notes any.
    pub object_top: Option<Value>,
    /// In a variadic function: where the shadows of the variable arguments were saved.
    pub saved_arguments: Option<crate::variadic::Saved>,
    shadows: HashMap<Value, Shadow>,
    phis: Vec<(Value, Shadow)>,
}

/// Rewrites `function`.
pub fn rewrite(
    function: Value,
    numbering: &mut Numbering,
    guards: &mut Guards,
    layout: &TargetData,
    variadic: &crate::variadic::Shared,
) {
    let number = numbering.number_of[&function];
    let emit = Emit::new(guards.emit.context);
    let entry_counter = numbering.enter(number);
    let sites = edges::count(function, number, numbering, &emit);
    let order = reverse_postorder(function);
    let mut rewriter = Rewriter {
        numbering,
        guards,
        layout,
        variadic,
        emit,
        function,
        number,
        sites,
        object_top: None,
        saved_arguments: None,
        shadows: HashMap::new(),
        phis: Vec::new(),
    };
    rewriter.prologue(entry_counter);
    for block in order {
        for instruction in block.instructions() {
            rewriter.instruction(instruction);
        }
    }
    rewriter.fill_phis();
    rewriter.numbering.leave(number);
}

impl Rewriter<'_> {
    /// Shadows of any operand: constants and globals are concrete.
    pub fn shadow(&self, value: Value) -> Shadow {
        match self.shadows.get(&value) {
            Some(shadow) => shadow.clone(),
            None => vec![self.concrete(); leaves(value.ty(), self.layout).len()],
        }
    }

    /// The shadow of a scalar.
    pub fn shadow_of_scalar(&self, value: Value) -> Value {
        match self.shadows.get(&value) {
            Some(shadow) => shadow.first().copied().unwrap_or_else(|| self.concrete()),
            None => self.concrete(),
        }
    }

    pub fn set_shadow(&mut self, value: Value, shadow: Shadow) {
        if shadow.iter().any(|leaf| !self.is_concrete(*leaf)) {
            self.shadows.insert(value, shadow);
        }
    }

    pub fn concrete(&self) -> Value {
        self.emit.i32.null()
    }

    /// True when a shadow is 0 whatever happens.
    pub fn is_concrete(&self, shadow: Value) -> bool {
        shadow.as_constant() == Some(0)
    }

    pub fn all_concrete(&self, shadows: &[Value]) -> bool {
        shadows.iter().all(|shadow| self.is_concrete(*shadow))
    }

    pub fn leaf(&self, value: Value) -> Leaf {
        crate::shadow::leaf(value.ty(), self.layout)
    }

    pub fn leaves(&self, value: Value) -> Vec<Leaf> {
        leaves(value.ty(), self.layout)
    }

    pub fn number32(&self, number: u32) -> Value {
        self.emit.i32.constant(u64::from(number))
    }

    pub fn check_site(&mut self, at: Value) -> SiteNumber {
        self.numbering.check(self.number, at)
    }

    /// `value` is about to be used concretely: a soft pin for each of its symbolic leaves.
    pub fn concretise(&mut self, value: Value, reason: Reason) {
        let shadow = self.shadow(value);
        let all = self.leaves(value);
        if self.all_concrete(&shadow) {
            return;
        }
        if all.len() == 1 && all[0].is_tracked() {
            let leaf = all[0];
            let name = format!("concretise.{}", crate::guards::type_key(&leaf));
            let guard = self.guards.on_shadows(&name, 1, &[leaf.ty, self.emit.i32], |body| {
                let (low, high) = body.halves(body.parameters[1], &leaf);
                let width = body.number(u64::from(leaf.width));
                body.emit.call(body.hooks.concretise, &[body.parameters[2], body.parameters[0], width, low, high])
            });
            self.emit.call(guard, &[shadow[0], value, self.number32(reason as u32)]);
        } else {
            self.count(&shadow, reason);
        }
    }

    /// Only counts that something symbolic ended here.
    pub fn count(&mut self, shadows: &[Value], reason: Reason) {
        let live: Vec<Value> = shadows.iter().copied().filter(|shadow| !self.is_concrete(*shadow)).collect();
        if live.is_empty() {
            return;
        }
        let guard = self.guards.on_shadows(&format!("count.{}", live.len()), live.len(), &[self.emit.i32], |body| {
            body.emit.call(body.hooks.count, &body.parameters[live.len()..])
        });
        let mut arguments = live;
        arguments.push(self.number32(reason as u32));
        self.emit.call(guard, &arguments);
    }

    fn prologue(&mut self, entry_counter: u32) {
        let old_entry = self.function.blocks()[0];
        let parameters = self.function.parameters();
        let counts: Vec<usize> = parameters.iter().map(|p| self.leaves(*p).len()).collect();
        let total = counts.iter().sum::<usize>().min(ARGUMENT_SLOTS);
        let takes = total > 0 || self.function.value_type().is_variadic();
        let entry = self.emit.prepend_block(old_entry, "covet.entry");
        self.move_allocas(old_entry, entry);
        let start = if takes {
            let (start, shadows) = self.read_arguments(entry, old_entry, total);
            let mut rest = shadows.as_slice();
            for (parameter, count) in parameters.iter().zip(counts) {
                let (mine, others) = rest.split_at(count.min(rest.len()));
                let mut shadow = mine.to_vec();
                shadow.resize(count, self.concrete());
                rest = others;
                let by_value = self.by_value_index(*parameter);
                self.set_shadow(*parameter, if by_value { vec![self.concrete()] } else { shadow });
            }
            start
        } else {
            entry
        };
        self.emit.at_end(start);
        self.numbering.bump(&self.emit, self.emit.i64.constant(u64::from(entry_counter)));
        self.note_objects(entry);
        self.emit.jump(old_entry);
    }

    fn by_value_index(&self, parameter: Value) -> bool {
        let index = self.function.parameters().iter().position(|p| *p == parameter).unwrap_or(0);
        self.function.by_value_type(index as u32).is_some()
    }

    fn move_allocas(&mut self, from: Block, to: Block) {
        self.emit.at_end(to);
        for instruction in from.instructions() {
            let fixed =
                instruction.opcode() == LLVMOpcode::LLVMAlloca && instruction.operand(0).as_constant().is_some();
            if fixed {
                unsafe { inkwell::llvm_sys::core::LLVMInstructionRemoveFromParent(instruction.0) };
                self.emit.insert(instruction);
            }
        }
    }

    fn read_arguments(&mut self, entry: Block, old_entry: Block, total: usize) -> (Block, Shadow) {
        let read = self.emit.prepend_block(old_entry, "covet.args");
        let start = self.emit.prepend_block(old_entry, "covet.start");
        let hooks = self.guards.hooks;
        self.emit.at_end(entry);
        self.prepare_saved_arguments();
        let wanted = self.emit.load(self.emit.ptr, hooks.arguments_for);
        let other = self.emit.compare(LLVMIntPredicate::LLVMIntNE, wanted, self.function);
        likely(&self.emit, self.emit.branch(other, start, read));
        self.emit.at_end(read);
        self.emit.store(self.emit.ptr.null(), hooks.arguments_for);
        let loaded: Vec<Value> = (0..total)
            .map(|i| {
                let slot = self.emit.element(self.emit.i32, hooks.arguments, self.emit.i64.constant(i as u64));
                self.emit.load(self.emit.i32, slot)
            })
            .collect();
        self.copy_by_value_shadows();
        self.save_variable_arguments();
        self.emit.jump(start);
        self.emit.at_end(start);
        let shadows = loaded
            .iter()
            .map(|id| {
                let phi = self.emit.phi(self.emit.i32);
                phi.add_incoming(self.concrete(), entry);
                phi.add_incoming(*id, read);
                phi
            })
            .collect();
        (start, shadows)
    }

    fn instruction(&mut self, instruction: Value) {
        use LLVMOpcode::*;
        match instruction.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor => self.integer_binary(instruction),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => self.float_binary(instruction),
            LLVMFNeg => self.float_negate(instruction),
            LLVMICmp => self.integer_compare(instruction),
            LLVMFCmp => self.float_compare(instruction),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc
            | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast => self.cast(instruction),
            LLVMGetElementPtr => self.address(instruction),
            LLVMAlloca => self.alloca(instruction),
            LLVMLoad => self.load(instruction),
            LLVMStore => self.store(instruction),
            LLVMAtomicRMW => self.atomic_update(instruction),
            LLVMAtomicCmpXchg => self.atomic_exchange(instruction),
            LLVMFence => {}
            LLVMSelect => self.select(instruction),
            LLVMPHI => self.phi(instruction),
            LLVMExtractValue => self.extract_value(instruction),
            LLVMInsertValue => self.insert_value(instruction),
            LLVMExtractElement => self.extract_element(instruction),
            LLVMInsertElement => self.insert_element(instruction),
            LLVMShuffleVector => self.shuffle(instruction),
            LLVMFreeze => {
                let shadow = self.shadow(instruction.operand(0));
                self.set_shadow(instruction, shadow);
            }
            LLVMVAArg => self.variable_argument(instruction),
            LLVMCall => self.call(instruction),
            LLVMCallBr => self.assembly_jump(instruction),
            LLVMRet => self.return_value(instruction),
            LLVMBr => self.branch(instruction),
            LLVMSwitch => self.switch(instruction),
            LLVMIndirectBr => self.indirect_branch(instruction),
            LLVMUnreachable => {}
            // Exceptions: clang emits none for C; the values they carry are concrete.
            LLVMInvoke | LLVMLandingPad | LLVMResume | LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad
            | LLVMCleanupPad | LLVMCatchSwitch | LLVMUserOp1 | LLVMUserOp2 => {}
        }
    }

    fn phi(&mut self, phi: Value) {
        let count = self.leaves(phi).len();
        let trackable = self.leaves(phi).iter().any(Leaf::is_tracked);
        if !trackable {
            return;
        }
        self.emit.before(phi);
        let shadow: Shadow = (0..count).map(|_| self.emit.phi(self.emit.i32)).collect();
        self.shadows.insert(phi, shadow.clone());
        self.phis.push((phi, shadow));
    }

    fn fill_phis(&mut self) {
        for (phi, shadow) in std::mem::take(&mut self.phis) {
            for (value, block) in phi.incoming() {
                for (leaf, incoming) in shadow.iter().zip(self.shadow(value)) {
                    leaf.add_incoming(incoming, block);
                }
            }
        }
    }
}

/// Blocks in an order in which every block comes after those that dominate it; unreachable blocks are left out.
fn reverse_postorder(function: Value) -> Vec<Block> {
    let entry = function.blocks()[0];
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, entry.terminator().map(Value::successors).unwrap_or_default(), 0)];
    let mut order = Vec::new();
    while let Some((block, successors, next)) = stack.last_mut() {
        if let Some(successor) = successors.get(*next).copied() {
            *next += 1;
            if seen.insert(successor) {
                stack.push((successor, successor.terminator().map(Value::successors).unwrap_or_default(), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}
