//! A worker's arena as the engine sees it, and what can be wrong with it.
//!
//! The pages were written by the process under test, which may have scribbled over them: every index is checked, and a
//! record that makes no sense is an error with its number, never a panic.

use covet_abi::node::{Node, Table};
use covet_input::VarId;
use std::fmt;

/// The arena of one worker while the engine owns the pages.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a> {
    /// Node id is the index; entry 0 is unused.
    pub nodes: &'a [Node],
    pub tables: &'a [Table],
    pub entries: &'a [u32],
    /// Engine-wide id of each of the worker's variables.
    pub variables: &'a [VarId],
    /// Changes when the arena was emptied.
    pub epoch: u64,
}

/// A record of the arena that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportError {
    /// A node id past the arena's end, or 0.
    NoSuchNode {
        node: u32,
    },
    NoSuchTable {
        node: u32,
        table: u32,
    },
    NoSuchVariable {
        node: u32,
        variable: u32,
    },
    UnknownOperator {
        node: u32,
        op: u8,
    },
    /// An operand that is not older than its user.
    Cycle {
        node: u32,
        operand: u32,
    },
    /// Widths or details that do not fit the operator.
    BadShape {
        node: u32,
        op: u8,
        width: u16,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::NoSuchNode { node } => write!(f, "node {node} is outside the arena")?,
            ImportError::NoSuchTable { node, table } => {
                write!(f, "node {node} reads table {table}, which is not there")?
            }
            ImportError::NoSuchVariable { node, variable } => {
                write!(f, "node {node} names variable {variable}, which is not registered")?
            }
            ImportError::UnknownOperator { node, op } => write!(f, "node {node} has unknown operator {op}")?,
            ImportError::Cycle { node, operand } => write!(f, "node {node} uses the younger node {operand}")?,
            ImportError::BadShape { node, op, width } => {
                write!(f, "node {node} (operator {op}, width {width}) has operands that do not fit")?
            }
        }
        write!(f, "; the tested program may have overwritten the trace: run it in fork mode")
    }
}

impl std::error::Error for ImportError {}
