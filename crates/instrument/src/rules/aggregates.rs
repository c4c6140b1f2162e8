//! Parts of structures, arrays and vectors.
//!
//! An aggregate's shadow is the list of its leaves' shadows, so taking or putting a part is choosing among them at
//! compile time. A small vector is one leaf: its elements are bit ranges of it, the first one lowest.

use crate::function::Rewriter;
use crate::ir::{LLVMOpcode, Value, bits};
use crate::tracking::guards::type_key;
use crate::tracking::shadow::{LeafKind, leaf_range, leaves};
use covet_abi::event::Concretization;
use covet_abi::node::Op;

impl Rewriter<'_> {
    pub fn extract_value(&mut self, instruction: Value) {
        let aggregate = instruction.operand(0);
        let shadow = self.shadow(aggregate);
        let (start, part) = leaf_range(aggregate.ty(), &instruction.path(), self.layout);
        let count = leaves(part, self.layout).len();
        self.set_shadow(instruction, shadow[start..start + count].to_vec());
    }

    pub fn insert_value(&mut self, instruction: Value) {
        let (aggregate, value) = (instruction.operand(0), instruction.operand(1));
        let mut shadow = self.shadow(aggregate);
        let (start, _) = leaf_range(aggregate.ty(), &instruction.path(), self.layout);
        for (offset, leaf) in self.shadow(value).into_iter().enumerate() {
            shadow[start + offset] = leaf;
        }
        self.set_shadow(instruction, shadow);
    }

    pub fn extract_element(&mut self, instruction: Value) {
        let (vector, index) = (instruction.operand(0), instruction.operand(1));
        let shadow = self.shadow_of_scalar(vector);
        self.emit.before(instruction);
        let tracked = self.leaf(vector).kind == LeafKind::Vector && self.leaf(instruction).is_tracked();
        match index.as_constant() {
            Some(index) if tracked => {
                let width = bits(instruction.ty(), self.layout) as u32;
                let part = self.extract_bits(shadow, index as u32 * width, width);
                self.set_shadow(instruction, vec![part]);
            }
            _ => self.concretise_operands(instruction, Concretization::Vector),
        }
    }

    pub fn insert_element(&mut self, instruction: Value) {
        let (vector, value, index) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
        let shadows = [self.shadow_of_scalar(vector), self.shadow_of_scalar(value)];
        if self.all_concrete(&shadows) {
            return;
        }
        self.emit.before(instruction);
        let Some(index) = index.as_constant().filter(|_| self.leaf(vector).kind == LeafKind::Vector) else {
            return self.concretise_operands(instruction, Concretization::Vector);
        };
        let pieces = (0..vector.ty().count())
            .map(|i| if i == index { (shadows[1], value) } else { self.piece(vector, shadows[0], i as u32) })
            .collect();
        let whole = self.assemble(pieces);
        self.set_shadow(instruction, vec![whole]);
    }

    pub fn shuffle(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        let shadows = [self.shadow_of_scalar(a), self.shadow_of_scalar(b)];
        if self.all_concrete(&shadows) {
            return;
        }
        self.emit.before(instruction);
        let small = [a, b, instruction].iter().all(|value| self.leaf(*value).kind == LeafKind::Vector);
        if !small {
            return self.concretise_operands(instruction, Concretization::Vector);
        }
        let each = a.ty().count() as i32;
        let pieces = instruction
            .shuffle_mask()
            .into_iter()
            .map(|from| match from {
                from if from < 0 => (self.concrete(), instruction.ty().element().null()),
                from if from < each => self.piece(a, shadows[0], from as u32),
                from => self.piece(b, shadows[1], (from - each) as u32),
            })
            .collect();
        let whole = self.assemble(pieces);
        self.set_shadow(instruction, vec![whole]);
    }

    /// An operator on small vectors, element by element.
    pub fn by_lanes(&mut self, instruction: Value, op: Op) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        let element = crate::tracking::shadow::leaf(a.ty().element(), self.layout);
        // A division by lanes has as many checks as lanes; it is rare enough to stay concrete.
        let divides = matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem);
        if !element.is_tracked() || divides {
            return self.concretise_operands(instruction, Concretization::Vector);
        }
        let (sa, sb) = (self.shadow_of_scalar(a), self.shadow_of_scalar(b));
        let lanes: Vec<Value> = (0..a.ty().count() as u32)
            .map(|lane| {
                let (x, y) = (self.piece(a, sa, lane), self.piece(b, sb, lane));
                self.operator_on(op, x, y)
            })
            .collect();
        // The elements of the result are known only behind it.
        self.emit.after(instruction);
        let pieces = lanes
            .into_iter()
            .enumerate()
            .map(|(lane, shadow)| (shadow, self.emit.extract_element(instruction, lane as u32)))
            .collect();
        let whole = self.assemble(pieces);
        self.set_shadow(instruction, vec![whole]);
    }

    /// Element `index` of a small vector: shadow and value.
    fn piece(&mut self, vector: Value, shadow: Value, index: u32) -> (Value, Value) {
        let width = bits(vector.ty().element(), self.layout) as u32;
        (self.extract_bits(shadow, index * width, width), self.emit.extract_element(vector, index))
    }

    /// The shadow of a vector put together from its elements, lowest first.
    fn assemble(&mut self, pieces: Vec<(Value, Value)>) -> Value {
        let leaf = self.leaf(pieces[0].1);
        let types = vec![leaf.ty; pieces.len()];
        let name = format!("assemble.{}.{}", pieces.len(), type_key(&leaf));
        let count = pieces.len();
        let guard = self.guards.on_shadows(&name, count, &types, |body| {
            let elements: Vec<Piece> = (0..count)
                .map(|i| Piece {
                    shadow: body.parameters[i],
                    value: bits_of(body, body.parameters[count + i], &leaf),
                    width: leaf.width,
                })
                .collect();
            join(body, &elements).shadow
        });
        let mut arguments: Vec<Value> = pieces.iter().map(|(shadow, _)| *shadow).collect();
        arguments.extend(pieces.iter().map(|(_, value)| *value));
        self.emit.call(guard, &arguments)
    }
}

/// A run of elements as one integer.
#[derive(Clone, Copy)]
struct Piece {
    shadow: Value,
    value: Value,
    width: u32,
}

/// Joins by halves, so that no operand of a concat is wider than the 64 bits a hook takes.
fn join(body: &crate::tracking::guards::Body, pieces: &[Piece]) -> Piece {
    if let [only] = pieces {
        return *only;
    }
    let (low, high) = pieces.split_at(pieces.len() / 2);
    let (low, high) = (join(body, low), join(body, high));
    let emit = body.emit;
    let as64 = |piece: Piece| {
        if piece.width == 64 { piece.value } else { emit.cast(LLVMOpcode::LLVMZExt, piece.value, emit.i64) }
    };
    let arguments = [
        high.shadow,
        body.number(u64::from(high.width)),
        as64(high),
        low.shadow,
        body.number(u64::from(low.width)),
        as64(low),
    ];
    let shadow = emit.call(body.hooks.concat, &arguments);
    let width = low.width + high.width;
    let whole = emit.integer(width);
    let upper = emit.cast(LLVMOpcode::LLVMZExt, high.value, whole);
    let upper = emit.binary(LLVMOpcode::LLVMShl, upper, whole.constant(u64::from(low.width)));
    Piece { shadow, value: emit.or(upper, emit.cast(LLVMOpcode::LLVMZExt, low.value, whole)), width }
}

/// An element as an integer of its width.
fn bits_of(body: &crate::tracking::guards::Body, value: Value, leaf: &crate::tracking::shadow::Leaf) -> Value {
    match leaf.kind {
        LeafKind::Integer => value,
        LeafKind::Pointer => body.emit.cast(LLVMOpcode::LLVMPtrToInt, value, body.emit.i64),
        LeafKind::Float | LeafKind::Double | LeafKind::Vector | LeafKind::Untracked(_) => {
            body.emit.cast(LLVMOpcode::LLVMBitCast, value, body.emit.integer(leaf.width))
        }
    }
}
