//! Branches and phis → the tests that belong together, and where the value of an operator is put together.

use super::layout::{Layout, Role, role};
use crate::ir::{Block, LLVMOpcode, Location, Value};
use std::collections::HashMap;

/// What may be a decision.
pub struct Shape {
    /// In the order of the source.
    pub tests: Vec<Test>,
    /// Where the value is put together, if it is kept: that of the whole first, each of the others in the right operand of the one before.
    pub ends: Vec<End>,
}

/// A place where the value of a condition, or of one result of a `?:`, decides.
#[derive(Clone, Copy)]
pub struct Test {
    pub terminator: Value,
    /// The value, where no branch depends on it because it is kept.
    pub kept: Option<Value>,
}

/// The block behind an operator whose value is kept.
#[derive(Clone, Copy)]
pub struct End {
    pub block: Block,
    pub phi: Value,
    /// The value of the right operand, and where it comes from.
    pub value: Value,
    pub from: Block,
    /// The value of the whole is the opposite of this one.
    pub is_negated: bool,
}

impl Test {
    pub fn block(self) -> Block {
        self.terminator.block()
    }

    pub fn value(self) -> Value {
        self.kept.unwrap_or_else(|| self.terminator.operand(0))
    }

    /// Where it leads when true and when false.
    pub fn targets(self) -> Option<[Block; 2]> {
        self.kept.is_none().then(|| self.terminator.successors().try_into().expect("a branch has two targets"))
    }

    /// What is tested, or else the test itself.
    pub fn place(self) -> Location {
        let value = self.value();
        let place = if value.is_instruction() { value.location() } else { Location::default() };
        if place.line == 0 { self.terminator.location() } else { place }
    }
}

impl Shape {
    pub fn place(&self) -> Location {
        self.tests.first().map(|test| test.place()).unwrap_or_default()
    }
}

/// Everything in a function that has an operator in it.
#[expect(clippy::disallowed_methods, reason = "what is made of the maps are maps, and whether one holds something")]
pub fn shapes(layout: &Layout) -> Vec<Shape> {
    let groups = groups(layout);
    let ends: HashMap<Block, End> =
        layout.blocks().iter().filter_map(|block| Some((*block, end(*block, layout)?))).collect();
    let inner: HashMap<Block, Inner> = ends.values().filter_map(|end| Some((end.block, inner(end, &ends)?))).collect();
    let is_inner = |block: &Block| inner.values().any(|inner| inner.end == *block);
    let mut shapes = Vec::new();
    for group in &groups {
        let targets = || group.iter().filter_map(|test| test.targets()).flatten();
        let end = targets().find(|block| role(*block) == Role::End);
        let shape = match end {
            Some(end) if is_inner(&end) => continue,
            Some(end) => kept(end, &groups, &ends, &inner),
            None if targets().any(|block| role(block) == Role::Continuation) => {
                Shape { tests: group.clone(), ends: Vec::new() }
            }
            None => continue,
        };
        shapes.push(shape);
    }
    shapes
}

/// The tests of an operator whose value is kept, with those of operators in its right operand.
fn kept(block: Block, groups: &[Vec<Test>], ends: &HashMap<Block, End>, inner: &HashMap<Block, Inner>) -> Shape {
    let mut shape = Shape { tests: Vec::new(), ends: Vec::new() };
    let (mut next, mut is_negated) = (Some(block), false);
    while let Some(block) = next {
        let leads_here = |test: &Test| test.targets().is_some_and(|targets| targets.contains(&block));
        let group = groups.iter().find(|group| group.iter().any(leads_here));
        shape.tests.extend(group.into_iter().flatten());
        // An end of another shape than expected is found missing later.
        let Some(end) = ends.get(&block) else { break };
        shape.ends.push(End { is_negated, ..*end });
        next = inner.get(&block).map(|inner| inner.end);
        is_negated ^= inner.get(&block).is_some_and(|inner| inner.is_negated);
        if let (None, Some(terminator)) = (next, end.from.terminator()) {
            shape.tests.push(Test { terminator, kept: Some(end.value) });
        }
    }
    shape
}

/// Branches that share a target, in the order of the source.
#[expect(clippy::disallowed_methods, reason = "every entry is changed in the same way")]
fn groups(layout: &Layout) -> Vec<Vec<Test>> {
    let mut groups: Vec<Vec<Test>> = Vec::new();
    let mut group_of: HashMap<Block, usize> = HashMap::new();
    for block in layout.blocks() {
        let Some(terminator) = block.terminator().filter(|terminator| is_branch(*terminator)) else { continue };
        let targets = terminator.successors();
        let mut known: Vec<usize> = targets.iter().filter_map(|target| group_of.get(target).copied()).collect();
        known.sort_unstable();
        known.dedup();
        let home = known.first().copied().unwrap_or_else(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        for other in known.into_iter().skip(1) {
            let moved = std::mem::take(&mut groups[other]);
            groups[home].extend(moved);
            group_of.values_mut().filter(|group| **group == other).for_each(|group| *group = home);
        }
        groups[home].push(Test { terminator, kept: None });
        group_of.extend(targets.into_iter().map(|target| (target, home)));
    }
    for group in &mut groups {
        group.sort_by_key(|test| layout.at(test.block()));
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn is_branch(terminator: Value) -> bool {
    terminator.opcode() == LLVMOpcode::LLVMBr && terminator.successors().len() == 2
}

/// An end: a phi of truth values, all but one of which come from tests.
fn end(block: Block, layout: &Layout) -> Option<End> {
    if role(block) != Role::End {
        return None;
    }
    let jumps = |from: &Block| from.terminator().is_some_and(|terminator| terminator.successors().len() == 1);
    let mut from = layout.predecessors(block).iter().copied().filter(jumps);
    let (Some(from), None) = (from.next(), from.next()) else { return None };
    let mut phis = block.phis().into_iter().filter(|phi| phi.ty().integer_width() == Some(1));
    let (Some(phi), None) = (phis.next(), phis.next()) else { return None };
    let value = phi.incoming().into_iter().find(|(_, block)| *block == from)?.0;
    Some(End { block, phi, value, from, is_negated: false })
}

/// An operator that is the right operand of another one.
struct Inner {
    end: Block,
    is_negated: bool,
}

/// The operator whose value, perhaps negated, is the right operand of the one that ends here, and is used for nothing else.
fn inner(outer: &End, ends: &HashMap<Block, End>) -> Option<Inner> {
    let (mut value, mut is_negated) = (outer.value, false);
    while value.is(LLVMOpcode::LLVMXor) && value.block() == outer.from && value.operand(1).as_constant() == Some(1) {
        if !is_used_once(value) {
            return None;
        }
        (value, is_negated) = (value.operand(0), !is_negated);
    }
    let end = ends.get(&outer.from).filter(|end| end.phi == value && is_used_once(value))?;
    Some(Inner { end: end.block, is_negated })
}

/// Used by the program once: markers of ours do not count.
fn is_used_once(value: Value) -> bool {
    let is_marker = |user: &Value| user.is(LLVMOpcode::LLVMCall) && user.callee().name().starts_with("covet.");
    value.users().iter().filter(|user| !is_marker(user)).count() == 1
}
