//! Leaves: how a value of any type is seen by the tracking.
//!
//! A scalar has one leaf; an aggregate has the leaves of its parts in order. A small vector is one leaf of all its bits. Every leaf
//! has a shadow, an `i32` node id; a leaf that is not tracked (long double, very wide integers) has the constant 0 for ever.

use crate::ir::{LLVMTypeKind, Type, Value, bits, field_offset, size};
use covet_abi::event::Concretization;
use inkwell::targets::TargetData;

/// What a leaf's bits mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafKind {
    Integer,
    Pointer,
    Float,
    Double,
    /// A vector of at most 128 bits, taken as one bit-vector.
    Vector,
    /// Not tracked, for this reason.
    Untracked(Concretization),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub ty: Type,
    pub kind: LeafKind,
    /// Bits of the value, 1 to 128; 0 when untracked.
    pub width: u32,
    /// Bytes from the start of the whole value, in memory.
    pub offset: u64,
}

impl Leaf {
    pub fn is_tracked(&self) -> bool {
        !matches!(self.kind, LeafKind::Untracked(_))
    }

    pub fn is_float(&self) -> bool {
        matches!(self.kind, LeafKind::Float | LeafKind::Double)
    }

    /// Bits it takes in memory: whole bytes.
    pub fn memory_bits(&self) -> u32 {
        self.width.div_ceil(8) * 8
    }
}

/// One shadow per leaf.
pub type Shadow = Vec<Value>;

/// The leaves of `ty`, in order.
pub fn leaves(ty: Type, layout: &TargetData) -> Vec<Leaf> {
    let mut all = Vec::new();
    collect(ty, 0, layout, &mut all);
    all
}

/// The only leaf of a scalar type.
pub fn leaf(ty: Type, layout: &TargetData) -> Leaf {
    leaves(ty, layout).first().copied().unwrap_or(Leaf {
        ty,
        kind: LeafKind::Untracked(Concretization::UnusualFloat),
        width: 0,
        offset: 0,
    })
}

fn collect(ty: Type, offset: u64, layout: &TargetData, all: &mut Vec<Leaf>) {
    let mut push = |kind, width| all.push(Leaf { ty, kind, width, offset });
    match ty.kind() {
        LLVMTypeKind::LLVMIntegerTypeKind => match ty.integer_width() {
            Some(width) if width <= 128 => push(LeafKind::Integer, width),
            _ => push(LeafKind::Untracked(Concretization::WideInteger), 0),
        },
        LLVMTypeKind::LLVMPointerTypeKind => push(LeafKind::Pointer, 64),
        LLVMTypeKind::LLVMFloatTypeKind => push(LeafKind::Float, 32),
        LLVMTypeKind::LLVMDoubleTypeKind => push(LeafKind::Double, 64),
        LLVMTypeKind::LLVMX86_FP80TypeKind | LLVMTypeKind::LLVMFP128TypeKind | LLVMTypeKind::LLVMPPC_FP128TypeKind => {
            push(LeafKind::Untracked(Concretization::LongDouble), 0);
        }
        LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => {
            push(LeafKind::Untracked(Concretization::UnusualFloat), 0);
        }
        LLVMTypeKind::LLVMVectorTypeKind => {
            let element = bits(ty.element(), layout);
            let width = element * ty.count();
            if element.is_multiple_of(8) && width <= 128 {
                push(LeafKind::Vector, width as u32);
            } else {
                push(LeafKind::Untracked(Concretization::Vector), 0);
            }
        }
        LLVMTypeKind::LLVMStructTypeKind => {
            for (index, field) in ty.fields().into_iter().enumerate() {
                collect(field, offset + field_offset(ty, index as u32, layout), layout, all);
            }
        }
        LLVMTypeKind::LLVMArrayTypeKind => {
            let step = size(ty.element(), layout);
            for index in 0..ty.count() {
                collect(ty.element(), offset + index * step, layout, all);
            }
        }
        LLVMTypeKind::LLVMVoidTypeKind
        | LLVMTypeKind::LLVMLabelTypeKind
        | LLVMTypeKind::LLVMFunctionTypeKind
        | LLVMTypeKind::LLVMMetadataTypeKind
        | LLVMTypeKind::LLVMTokenTypeKind => {}
        LLVMTypeKind::LLVMScalableVectorTypeKind
        | LLVMTypeKind::LLVMX86_MMXTypeKind
        | LLVMTypeKind::LLVMX86_AMXTypeKind
        | LLVMTypeKind::LLVMTargetExtTypeKind => {
            push(LeafKind::Untracked(Concretization::Vector), 0);
        }
    }
}

/// Index of the first leaf of element `path` of an aggregate, with the element's type.
pub fn leaf_range(ty: Type, path: &[u32], layout: &TargetData) -> (usize, Type) {
    let Some((&index, rest)) = path.split_first() else { return (0, ty) };
    if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
        let fields = ty.fields();
        let before: usize = fields[..index as usize].iter().map(|field| leaves(*field, layout).len()).sum();
        let (inner, found) = leaf_range(fields[index as usize], rest, layout);
        (before + inner, found)
    } else {
        let each = leaves(ty.element(), layout).len();
        let (inner, found) = leaf_range(ty.element(), rest, layout);
        (each * index as usize + inner, found)
    }
}
