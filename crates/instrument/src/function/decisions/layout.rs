//! The blocks of a function in the order in which clang made them, and what their names say.

use crate::ir::{Block, Value};
use crate::module::replaced;
use std::collections::{HashMap, HashSet};

/// What a block is to an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The right operand of an operator begins.
    Continuation,
    /// The value of an operator is put together.
    End,
    /// An operand of `?:` begins: the one for true, the one for false.
    Chosen(bool),
    Other,
}

pub struct Layout {
    blocks: Vec<Block>,
    index: HashMap<Block, usize>,
    predecessors: HashMap<Block, Vec<Block>>,
}

impl Layout {
    pub fn of(function: Value) -> Layout {
        let mut blocks = function.blocks();
        // What the entry block held is at the end where a stub was put before it.
        if let Some(body) = blocks.iter().position(|block| block.name() == replaced::BODY) {
            blocks[1..=body].rotate_right(1);
        }
        let index = blocks.iter().enumerate().map(|(at, block)| (*block, at)).collect();
        let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
        for block in &blocks {
            for successor in block.successors() {
                predecessors.entry(successor).or_default().push(*block);
            }
        }
        Layout { blocks, index, predecessors }
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn at(&self, block: Block) -> usize {
        self.index[&block]
    }

    pub fn predecessors(&self, block: Block) -> &[Block] {
        self.predecessors.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The blocks that are entered from `start` before one of `stops` is, those stops included.
    pub fn entered(&self, start: Block, stops: &[Block]) -> HashSet<Block> {
        let mut entered = HashSet::from([start]);
        let mut todo = vec![start];
        while let Some(block) = todo.pop() {
            if !stops.contains(&block) {
                todo.extend(block.successors().into_iter().filter(|successor| entered.insert(*successor)));
            }
        }
        entered
    }
}

/// By the name that clang gave it, which may end in a number.
pub fn role(block: Block) -> Role {
    match block.name().trim_end_matches(|character: char| character.is_ascii_digit()) {
        "land.lhs.true" | "lor.lhs.false" | "land.rhs" | "lor.rhs" => Role::Continuation,
        "land.end" | "lor.end" => Role::End,
        "cond.true" => Role::Chosen(true),
        "cond.false" => Role::Chosen(false),
        _ => Role::Other,
    }
}
