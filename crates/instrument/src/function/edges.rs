//! Counts every outcome of every branch, and describes the function's control flow for the site map.
//!
//! ```text
//!   br i1 %c, label %then, label %join      ; %join has other predecessors too
//! ; becomes
//!   br i1 %c, label %then, label %edge      ; the counter of "true" is bumped at the head of %then,
//! edge:                                     ; that of "false" here
//!   counters[k] += 1
//!   br label %join
//! ```
//!
//! A short-circuit operator whose value is kept (`x = a && b`) leaves no branch on its last condition, only a phi of `i1`: its
//! outcomes are counted too, at the end of the block that computes it.

use crate::function::decisions::Sites;
use crate::function::vectors::Notes;
use crate::function::{markers, vectors};
use crate::ir::{Block, Emit, LLVMOpcode, Value, intrinsic_name};
use crate::module::numbering::{NewSite, Numbering};
use covet_sites::{BlockInfo, Callee, Counter, Edge, FunctionNumber, SiteKind};
use std::collections::HashMap;

/// Counts `function`'s outcomes and leaves a marker at each site, for the rewriting to find.
pub fn count(function: Value, number: FunctionNumber, numbering: &mut Numbering, emit: &Emit) {
    let blocks = function.blocks();
    let index: HashMap<Block, u32> = blocks.iter().enumerate().map(|(i, block)| (*block, i as u32)).collect();
    let mut infos: Vec<BlockInfo> = blocks.iter().map(|block| describe(*block, numbering)).collect();
    let mut edges = Vec::new();
    let is_model = numbering.functions[number.index()].is_model;
    let mut counting = Counting { function: number, numbering, emit, sites: Sites::default() };
    for (at, block) in blocks.iter().enumerate() {
        let Some(terminator) = block.terminator() else { continue };
        if !is_model {
            counting.selects(*block, at as u32);
        }
        let successors = terminator.successors();
        let first = counting.terminator(terminator, &successors, at as u32);
        for (which, successor) in successors.iter().enumerate() {
            // A branch lists "true" first, its counters "false" first.
            let outcome = if terminator.opcode() == LLVMOpcode::LLVMBr { 1 - which.min(1) } else { which };
            let counter = first.map(|first| first + outcome as u32);
            infos[at].successors.push(Edge { block: index[successor], counter });
            if let Some(counter) = counter {
                edges.push(CountedEdge { terminator, which, from: *block, to: *successor, counter });
            }
        }
    }
    let sites = counting.sites;
    let notes = if is_model { Notes::default() } else { vectors::note(function, number, &sites, numbering, emit) };
    place_counters(&edges, &notes, numbering, emit, function);
    numbering.functions[number.index()].blocks = infos;
}

/// Sites while they are numbered.
struct Counting<'n> {
    function: FunctionNumber,
    numbering: &'n mut Numbering,
    emit: &'n Emit,
    sites: Sites,
}

impl Counting<'_> {
    /// Numbers and marks what decides at the end of a block; gives the first counter of its outcomes.
    fn terminator(&mut self, terminator: Value, successors: &[Block], block: u32) -> Option<Counter> {
        match (terminator.opcode(), successors.len()) {
            (LLVMOpcode::LLVMBr, 2) => {
                let site = if is_no_branch_of_the_source(terminator, successors) {
                    self.numbering.site(self.function, SiteKind::Decided, terminator, 2, Vec::new(), block)
                } else {
                    self.mark(SiteKind::Branch, terminator, terminator.operand(0), 2, Vec::new(), block)
                };
                self.sites.branches.insert(terminator, site.number);
                Some(site.counter)
            }
            (LLVMOpcode::LLVMBr, 1) => {
                for condition in kept_conditions(terminator.block(), successors[0]) {
                    let site = self.mark(SiteKind::Condition, terminator, condition, 2, Vec::new(), block);
                    self.sites.kept.insert((terminator.block(), condition), site.number);
                }
                None
            }
            (LLVMOpcode::LLVMSwitch, outcomes) => {
                let case = |i: usize| terminator.operand(2 * i as u32).as_constant().unwrap_or(0);
                let cases = (1..outcomes).map(case).collect();
                Some(self.mark(SiteKind::Switch, terminator, terminator.operand(0), outcomes, cases, block).counter)
            }
            (LLVMOpcode::LLVMIndirectBr, _) => {
                self.mark(SiteKind::Indirect, terminator, terminator.operand(0), 0, Vec::new(), block);
                None
            }
            _ => None,
        }
    }

    /// Clang makes a `select` of `c ? 1 : 2`: in the source that is a branch like any other. (In our models it is a choice.)
    fn selects(&mut self, block: Block, index: u32) {
        for instruction in block.instructions() {
            let is_choice = instruction.opcode() == LLVMOpcode::LLVMSelect
                && instruction.operand(0).ty().integer_width() == Some(1)
                && instruction.operand(0).as_constant().is_none()
                && !is_decided(instruction.operand(0), block)
                && !is_first_set_bit(instruction);
            if is_choice {
                self.mark(SiteKind::Condition, instruction, instruction.operand(0), 2, Vec::new(), index);
            }
        }
    }

    fn mark(
        &mut self,
        kind: SiteKind,
        at: Value,
        value: Value,
        outcomes: usize,
        cases: Vec<u64>,
        block: u32,
    ) -> NewSite {
        let site = self.numbering.site(self.function, kind, at, outcomes as u32, cases, block);
        markers::place(self.numbering.module, self.emit, at, kind, value, site.number);
        site
    }
}

struct CountedEdge {
    terminator: Value,
    which: usize,
    from: Block,
    to: Block,
    counter: Counter,
}

impl CountedEdge {
    /// What happens on the way.
    fn count(&self, notes: &Notes, numbering: &Numbering, emit: &Emit) {
        emit.located_as(self.terminator);
        numbering.bump(emit, self.counter);
        notes.place(self.terminator, self.which, numbering.module, emit);
    }
}

/// `__builtin_ffs`: 0 for 0, otherwise one more than the zeros at the end.
fn is_first_set_bit(select: Value) -> bool {
    let counted = select.operand(2);
    let adds = counted.is_instruction() && counted.opcode() == LLVMOpcode::LLVMAdd;
    adds && {
        let zeros = counted.operand(0);
        zeros.is_instruction()
            && zeros.opcode() == LLVMOpcode::LLVMCall
            && intrinsic_name(zeros.callee()).is_some_and(|name| name.starts_with("llvm.cttz"))
    }
}

/// Branches that clang adds: on what a short-circuit operator decided before, and inside the code for one operation.
fn is_no_branch_of_the_source(terminator: Value, successors: &[Block]) -> bool {
    let is_inside = |block: &Block| ADDED.iter().any(|prefix| block.name().starts_with(prefix));
    is_decided(terminator.operand(0), terminator.block()) || successors.iter().any(is_inside)
}

/// Names of blocks that clang makes for `va_arg`, a compare-and-exchange that stores back, and products of complex numbers; and ours
/// that calls a stub.
const ADDED: &[&str] = &["vaarg.", "cmpxchg.", "complex_mul_", crate::module::replaced::STUBBED];

/// True for a phi of this block that only hands on what `&&` and `||` decided: constants and conditions that are sites already.
fn is_decided(condition: Value, block: Block) -> bool {
    let is_phi = condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMPHI && condition.block() == block;
    is_phi
        && condition.incoming().iter().all(|(value, from)| {
            let jumps = from.terminator().is_some_and(|terminator| terminator.successors().len() == 1);
            value.as_constant().is_some() || jumps && kept_conditions(*from, block).contains(value)
        })
}

/// Conditions whose value reaches a phi of `i1` in `to` beside a constant: the last operand of a kept `&&` or `||`.
fn kept_conditions(from: Block, to: Block) -> Vec<Value> {
    let mut found = Vec::new();
    for phi in to.phis() {
        if phi.ty().integer_width() != Some(1) {
            continue;
        }
        let incoming = phi.incoming();
        if incoming.iter().any(|(value, _)| value.as_constant().is_some()) {
            found.extend(incoming.iter().filter(|(v, b)| *b == from && v.as_constant().is_none()).map(|(v, _)| *v));
        }
    }
    found
}

fn place_counters(edges: &[CountedEdge], notes: &Notes, numbering: &Numbering, emit: &Emit, function: Value) {
    let mut predecessors: HashMap<Block, usize> = HashMap::new();
    for block in function.blocks() {
        for successor in block.terminator().map(Value::successors).unwrap_or_default() {
            *predecessors.entry(successor).or_default() += 1;
        }
    }
    let mut detours: HashMap<Block, Vec<(Block, Block)>> = HashMap::new();
    for edge in edges {
        if predecessors[&edge.to] == 1 {
            let first = edge.to.instructions().into_iter().find(|i| i.opcode() != LLVMOpcode::LLVMPHI);
            emit.before(first.expect("every block ends in a terminator"));
            edge.count(notes, numbering, emit);
        } else {
            let detour = emit.append_block(function, "edge");
            emit.at_end(detour);
            edge.count(notes, numbering, emit);
            emit.jump(edge.to);
            edge.terminator.set_successor(edge.which, detour);
            detours.entry(edge.to).or_default().push((edge.from, detour));
        }
    }
    #[expect(clippy::iter_over_hash_type, reason = "each block is mended by itself")]
    for (to, mut moved) in detours {
        for phi in to.phis() {
            let mut left = moved.clone();
            rebuild(phi, emit, |block| match left.iter().position(|(from, _)| *from == block) {
                Some(at) => left.remove(at).1,
                None => block,
            });
        }
        moved.clear();
    }
}

/// LLVM's C interface cannot change a phi's block: builds it again.
pub fn rebuild(phi: Value, emit: &Emit, mut mapped: impl FnMut(Block) -> Block) {
    emit.before(phi);
    let fresh = emit.phi(phi.ty());
    for (value, block) in phi.incoming() {
        let value = if value == phi { fresh } else { value };
        fresh.add_incoming(value, mapped(block));
    }
    phi.replace_uses(fresh);
    phi.erase();
}

fn describe(block: Block, numbering: &Numbering) -> BlockInfo {
    let mut info = BlockInfo::default();
    for instruction in block.instructions() {
        let line = instruction.location().line;
        if line != 0 {
            info.lines.push(line);
        }
        if instruction.opcode() == LLVMOpcode::LLVMCall {
            let callee = instruction.callee();
            if !callee.is_function() {
                info.calls.push(Callee::Indirect);
            } else if let Some(number) = numbering.number_of.get(&callee) {
                info.calls.push(Callee::Function(*number));
            } else if crate::ir::intrinsic_name(callee).is_none() {
                info.calls.push(Callee::External(callee.name()));
            }
        }
    }
    info.lines.sort_unstable();
    info.lines.dedup();
    info
}
