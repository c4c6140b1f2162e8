//! Rewrites one function: every value gets a shadow, every symbolic branch an event.
//!
//! ```text
//! define i32 @f(i32 %a)                        ; before
//!
//! define i32 @f(i32 %a)                        ; after
//! covet.entry:   allocas and slots; entry counter; stack objects noted; is __covet_args_for me? (and is anything logged: `logs.rs`)
//! covet.args:    shadows of the parameters from __covet_args into their slots; on to the slow copy
//! fast ...       the old blocks without shadows, see `copies.rs`
//! slow ...       the old blocks, each instruction preceded or followed by its guard
//! ```
//!
//! A function that calls something which returns twice has the slow copy only, in SSA form: its blocks are visited so that definitions
//! come before uses; phis get their shadow phi first and its operands last.

mod copies;
mod decisions;
pub mod edges;
pub mod frame;
mod logs;
pub mod markers;
pub mod slots;
pub mod split;
mod undefined;
pub mod vectors;

use crate::ir::{Block, Emit, LLVMIntPredicate, LLVMOpcode, Value};
use crate::module::numbering::Numbering;
use crate::rules::bounds;
use crate::tracking::guards::Guards;
use crate::tracking::shadow::{Leaf, Shadow, leaves};
use copies::Pair;
use covet_abi::event::Concretization;
use covet_abi::hooks::ARGUMENT_SLOTS;
use covet_abi::symbols::DRIVER;
use covet_sites::{DecisionNumber, FunctionNumber, SiteNumber};
use frame::Frame;
use inkwell::targets::TargetData;
use std::collections::{HashMap, HashSet};

pub struct Rewriter<'m> {
    pub numbering: &'m mut Numbering,
    pub guards: &'m mut Guards,
    pub layout: &'m TargetData,
    pub variadic: &'m crate::calls::variadic::Shared,
    pub emit: Emit,
    /// Appends to the slots of the entry block.
    pub slot_emit: Emit,
    pub function: Value,
    pub number: FunctionNumber,
    /// In the fast copy nothing is symbolic; this is the block of the slow copy to go to when something turns out to be.
    pub fast: Option<Pair>,
    pub slow_of: HashMap<Block, Block>,
    /// Shadow slots beside slots.
    pub beside: HashMap<Value, Shadow>,
    /// Shadow slots of the parameters.
    parameters: HashMap<Value, Shadow>,
    /// The objects of the user's function on the stack, when it has any.
    pub frame: Option<Frame>,
    /// Top of the stack objects on entry, when this function notes any.
    pub object_top: Option<Value>,
    /// Whether it has arrays of variable length on the stack.
    pub has_dynamic_objects: bool,
    /// In a variadic function: where the shadows of the variable arguments were saved.
    pub saved_arguments: Option<crate::calls::variadic::Saved>,
    /// The slots in which the ways through decisions are noted.
    ways: HashMap<DecisionNumber, Value>,
    shadows: HashMap<Value, Shadow>,
    phis: Vec<(Value, Shadow)>,
}

/// First pass over a function: numbers its sites, counts its edges, cuts its blocks.
pub fn prepare(function: Value, numbering: &mut Numbering, emit: &Emit, layout: &TargetData) {
    let number = numbering.number_of[&function];
    numbering.enter(number);
    edges::count(function, number, numbering, emit);
    numbering.leave(number);
    if !numbering.functions[number.index()].is_model {
        bounds::mark(numbering.module, function, emit, layout, &numbering.grown);
    }
    if has_fast_copy(function) {
        split::split(function, emit);
    }
}

/// Second pass, after `reg2mem`.
pub fn rewrite(
    function: Value,
    numbering: &mut Numbering,
    guards: &mut Guards,
    layout: &TargetData,
    variadic: &crate::calls::variadic::Shared,
) {
    let number = numbering.number_of[&function];
    let (emit, slot_emit) = (guards.emit.another(), guards.emit.another());
    let mut rewriter = Rewriter {
        numbering,
        guards,
        layout,
        variadic,
        emit,
        slot_emit,
        function,
        number,
        fast: None,
        slow_of: HashMap::new(),
        beside: HashMap::new(),
        parameters: HashMap::new(),
        frame: None,
        object_top: None,
        has_dynamic_objects: false,
        saved_arguments: None,
        ways: HashMap::new(),
        shadows: HashMap::new(),
        phis: Vec::new(),
    };
    rewriter.function();
}

fn has_fast_copy(function: Value) -> bool {
    let jumps_from_assembly =
        || function.blocks().iter().filter_map(|b| b.terminator()).any(|t| t.opcode() == LLVMOpcode::LLVMCallBr);
    // A driver runs once in a run: what it would gain is less than what generating the copy costs.
    let is_driver = || function.name().starts_with(DRIVER);
    !function.has_attribute("optnone") && !is_driver() && !jumps_from_assembly()
}

impl Rewriter<'_> {
    fn function(&mut self) {
        let blocks = self.function.blocks();
        let order = reverse_postorder(blocks[0]);
        let pairs = if has_fast_copy(self.function) {
            copies::clone_blocks(self.function, &blocks, &self.emit)
        } else {
            Vec::new()
        };
        let fast_entry = pairs.first().map_or(blocks[0], |pair| pair.fast);
        self.slow_of = pairs.iter().map(|pair| (pair.fast, pair.slow)).collect();
        self.prologue(blocks[0], fast_entry);
        for block in if pairs.is_empty() { order } else { blocks } {
            for instruction in block.instructions() {
                self.instruction(instruction);
            }
        }
        self.fill_phis();
        self.call_guards();
        for pair in pairs {
            self.fast = Some(pair);
            for instruction in pair.fast.instructions() {
                self.instruction(instruction);
            }
        }
    }

    /// What stands here so far is the slow copy: there a guard is called, not inlined. Most of it calls hooks, beside which that is nothing, and
    /// code with a branch at every operation takes many times longer to generate.
    fn call_guards(&self) {
        let is_guard = |i: &Value| i.opcode() == LLVMOpcode::LLVMCall && self.guards.contains(i.callee());
        self.function.instructions().filter(is_guard).for_each(Value::keep_call);
    }

    /// Shadows of any operand at the current position: constants and globals are concrete.
    pub fn shadow(&self, value: Value) -> Shadow {
        if self.fast.is_none() {
            if let Some(shadow) = self.shadows.get(&value) {
                return shadow.clone();
            }
            if let Some(slots) = self.parameters.get(&value) {
                return self.load_slots(slots);
            }
        }
        vec![self.concrete(); leaves(value.ty(), self.layout).len()]
    }

    /// The shadow of a scalar.
    pub fn shadow_of_scalar(&self, value: Value) -> Value {
        self.shadow(value).first().copied().unwrap_or_else(|| self.concrete())
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
        crate::tracking::shadow::leaf(value.ty(), self.layout)
    }

    pub fn leaves(&self, value: Value) -> Vec<Leaf> {
        leaves(value.ty(), self.layout)
    }

    pub fn number32(&self, number: u32) -> Value {
        self.emit.i32.constant(u64::from(number))
    }

    pub fn site32(&self, site: SiteNumber) -> Value {
        self.number32(site.0)
    }

    /// Whether this is the user's code, whose mistakes are to be told.
    pub fn is_users(&self) -> bool {
        !self.numbering.functions[self.number.index()].is_model
    }

    pub fn check_site(&mut self, at: Value) -> SiteNumber {
        self.numbering.check(self.number, at)
    }

    /// `value` is about to be used concretely: a concretization constraint for each of its symbolic leaves.
    pub fn concretise(&mut self, value: Value, reason: Concretization) {
        let shadow = self.shadow(value);
        let all = self.leaves(value);
        if self.all_concrete(&shadow) {
            return;
        }
        if all.len() == 1 && all[0].is_tracked() {
            let leaf = all[0];
            let name = format!("concretise.{}", crate::tracking::guards::type_key(&leaf));
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
    pub fn count(&mut self, shadows: &[Value], reason: Concretization) {
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

    fn prologue(&mut self, slow_entry: Block, fast_entry: Block) {
        let parameters = self.function.parameters();
        let leaf_counts: Vec<usize> = parameters.iter().map(|p| self.leaves(*p).len()).collect();
        let total = leaf_counts.iter().sum::<usize>().min(ARGUMENT_SLOTS);
        let entry = self.emit.prepend_block(slow_entry, "covet.entry");
        self.move_allocas(slow_entry, fast_entry, entry);
        self.make_frame(entry);
        self.emit.at_end(entry);
        let counter = self.numbering.functions[self.number.index()].counter_start;
        let slot_end = self.numbering.bump(&self.emit, counter);
        self.slot_emit.before(slot_end);
        self.note_objects(entry);
        if total == 0 && !self.function.value_type().is_variadic() {
            return self.enter_without_arguments(entry, slow_entry, fast_entry);
        }
        let mut slots = Vec::new();
        for (parameter, count) in parameters.iter().zip(leaf_counts) {
            let mine = self.fresh_slots(count);
            slots.extend_from_slice(&mine);
            if !self.by_value_index(*parameter) {
                self.parameters.insert(*parameter, mine);
            }
        }
        slots.truncate(total);
        self.read_arguments(entry, slow_entry, fast_entry, &slots);
    }

    fn by_value_index(&self, parameter: Value) -> bool {
        let index = self.function.parameters().iter().position(|p| *p == parameter).unwrap_or(0);
        self.function.by_value_type(index as u32).is_some()
    }

    /// Fixed allocas, slots among them, belong in the entry block; the fast copy uses those of the slow one.
    fn move_allocas(&mut self, slow_entry: Block, fast_entry: Block, to: Block) {
        let is_fixed = |i: &Value| i.opcode() == LLVMOpcode::LLVMAlloca && i.operand(0).as_constant().is_some();
        let fixed: Vec<Value> = slow_entry.instructions().into_iter().filter(is_fixed).collect();
        if fast_entry != slow_entry {
            let twins: Vec<Value> = fast_entry.instructions().into_iter().filter(is_fixed).collect();
            for (twin, original) in twins.into_iter().zip(&fixed) {
                twin.replace_uses(*original);
                twin.erase();
            }
        }
        self.emit.at_end(to);
        for alloca in fixed {
            alloca.detach();
            self.emit.insert(alloca);
        }
    }

    fn enter_without_arguments(&mut self, entry: Block, slow_entry: Block, fast_entry: Block) {
        if !self.is_users() {
            self.emit.jump(fast_entry);
            return;
        }
        let logged = self.log_entry(slow_entry);
        self.emit.at_end(entry);
        self.choose_copy(None, logged, fast_entry);
    }

    /// Ends the entry block: with shadows for us in `__covet_args` to the slow copy, else to the fast one.
    fn read_arguments(&mut self, entry: Block, slow_entry: Block, fast_entry: Block, slots: &[Value]) {
        let hooks = self.guards.hooks;
        self.prepare_saved_arguments();
        let logged = self.is_users().then(|| self.log_entry(slow_entry));
        let read = self.emit.prepend_block(logged.unwrap_or(slow_entry), "covet.args");
        self.emit.at_end(entry);
        if let Some(logged) = logged {
            self.choose_copy(Some(read), logged, fast_entry);
        } else {
            let wanted = self.emit.load(self.emit.ptr, hooks.arguments_for);
            let other = self.emit.compare(LLVMIntPredicate::LLVMIntNE, wanted, self.function);
            self.emit.likely(self.emit.branch(other, fast_entry, read));
        }
        self.emit.at_end(read);
        self.put_arguments_to_rest();
        for (index, slot) in slots.iter().enumerate() {
            let from = self.emit.element(self.emit.i32, hooks.arguments, self.emit.i64.constant(index as u64));
            let id = self.emit.load(self.emit.i32, from);
            self.emit.store(id, *slot);
        }
        self.copy_by_value_shadows();
        self.save_variable_arguments();
        match logged {
            Some(logged) => self.unless_logging(slow_entry, logged),
            None => drop(self.emit.jump(slow_entry)),
        }
    }

    /// No arguments are on their way any more.
    pub fn put_arguments_to_rest(&self) {
        let rest = self.emit.load(self.emit.ptr, self.guards.hooks.logs);
        self.emit.store(rest, self.guards.hooks.arguments_for);
    }

    fn instruction(&mut self, instruction: Value) {
        use LLVMOpcode::*;
        // Shadows of parameters are loaded where they are asked for: have a position from the start.
        self.emit.before(instruction);
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
            // Their sites are marked, see `markers.rs`.
            LLVMBr | LLVMSwitch | LLVMIndirectBr => {}
            LLVMUnreachable => self.unreachable(instruction),
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
                if let Some(terminator) = block.terminator() {
                    self.emit.before(terminator);
                }
                for (leaf, incoming) in shadow.iter().zip(self.shadow(value)) {
                    leaf.add_incoming(incoming, block);
                }
            }
        }
    }
}

/// Blocks in an order in which every block comes after those that dominate it; unreachable blocks are left out.
fn reverse_postorder(entry: Block) -> Vec<Block> {
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors(), 0)];
    let mut order = Vec::new();
    while let Some((block, successors, next)) = stack.last_mut() {
        if let Some(successor) = successors.get(*next).copied() {
            *next += 1;
            if seen.insert(successor) {
                stack.push((successor, successor.successors(), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}
