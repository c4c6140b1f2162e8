//! The emitter: appends instructions at a position. All of these emit exactly the instruction they are named after.
//!
//! What the calls below rely on besides the promises of [`super`]: the builder lives as long as its `Emit` and stands at a position that is
//! alive, which [`Emit::before`], [`Emit::after`] or [`Emit::at_end`] gave it; operands have the types that the instruction wants.
//! The LLVM verifier, which runs after the rewriting, tells where they do not.

use super::{Block, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, Module, Type, Value, c_string};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMValueRef};
use std::ffi::{c_char, c_uint};

pub struct Emit {
    builder: LLVMBuilderRef,
    context: LLVMContextRef,
    pub i1: Type,
    pub i8: Type,
    pub i32: Type,
    pub i64: Type,
    pub i128: Type,
    pub double: Type,
    pub ptr: Type,
    pub void: Type,
}

impl Drop for Emit {
    fn drop(&mut self) {
        // SAFETY: the builder is ours and goes with us.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

const NAME: *const c_char = c"".as_ptr();

impl Emit {
    pub fn new(module: Module) -> Emit {
        Emit::within(module.context())
    }

    /// A second one, with a position of its own.
    pub fn another(&self) -> Emit {
        Emit::within(self.context)
    }

    fn within(context: LLVMContextRef) -> Emit {
        // SAFETY: alive.
        unsafe {
            Emit {
                builder: LLVMCreateBuilderInContext(context),
                context,
                i1: Type(LLVMInt1TypeInContext(context)),
                i8: Type(LLVMInt8TypeInContext(context)),
                i32: Type(LLVMInt32TypeInContext(context)),
                i64: Type(LLVMInt64TypeInContext(context)),
                i128: Type(LLVMInt128TypeInContext(context)),
                double: Type(LLVMDoubleTypeInContext(context)),
                ptr: Type(LLVMPointerTypeInContext(context, 0)),
                void: Type(LLVMVoidTypeInContext(context)),
            }
        }
    }
}

/// Types and constants.
impl Emit {
    pub fn integer(&self, width: u32) -> Type {
        // SAFETY: alive.
        Type(unsafe { LLVMIntTypeInContext(self.context, width) })
    }

    /// A structure of constants; a packed one has no gaps.
    pub fn record(&self, fields: &[Value], packed: bool) -> Value {
        let mut raw: Vec<LLVMValueRef> = fields.iter().map(|field| field.0).collect();
        // SAFETY: alive; as many fields as said.
        Value(unsafe {
            LLVMConstStructInContext(self.context, raw.as_mut_ptr(), raw.len() as c_uint, i32::from(packed))
        })
    }

    /// Constant bytes.
    pub fn bytes(&self, bytes: &[u8]) -> Value {
        let without_zero = 1;
        // SAFETY: alive; the bytes are a slice.
        Value(unsafe { LLVMConstStringInContext2(self.context, bytes.as_ptr().cast(), bytes.len(), without_zero) })
    }

    /// The address of element `at` of a variable that is an array of `count` of this type.
    pub fn constant_element(&self, element: Type, array: Value, count: u64, at: u64) -> Value {
        debug_assert!(at < count);
        let mut path = [self.i64.constant(0).0, self.i64.constant(at).0];
        // SAFETY: alive; the variable is such an array; two indices.
        Value(unsafe { LLVMConstInBoundsGEP2(element.array(count).0, array.0, path.as_mut_ptr(), 2) })
    }

    /// A constant text with the zero that ends it.
    pub fn text(&self, text: &str) -> Value {
        self.bytes(c_string(text).as_bytes_with_nul())
    }
}

/// Positions.
impl Emit {
    /// Before `instruction`, taking over its source position.
    pub fn before(&self, instruction: Value) {
        debug_assert!(instruction.is_instruction());
        // SAFETY: alive; an instruction that is in a block.
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) }
    }

    pub fn after(&self, instruction: Value) {
        self.before(instruction.next().expect("what is not a terminator has something behind it"));
        self.located_as(instruction);
    }

    pub fn at_end(&self, block: Block) {
        // SAFETY: alive; no place of the source is a place, too.
        unsafe {
            LLVMPositionBuilderAtEnd(self.builder, block.0);
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
        }
    }

    /// Takes over the source position of `instruction`.
    pub fn located_as(&self, instruction: Value) {
        debug_assert!(instruction.is_instruction());
        // SAFETY: alive; an instruction.
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(instruction.0)) }
    }

    /// Inserts an instruction that is in no block, under the name it has (LLVM would drop it).
    pub fn insert(&self, instruction: Value) {
        let name = c_string(&instruction.name());
        // SAFETY: alive; an instruction in no block.
        unsafe { LLVMInsertIntoBuilderWithName(self.builder, instruction.0, name.as_ptr()) }
    }

    pub fn append_block(&self, function: Value, name: &str) -> Block {
        debug_assert!(function.is_function());
        // SAFETY: alive; a function; the name is a C string.
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, c_string(name).as_ptr()) })
    }

    pub fn prepend_block(&self, before: Block, name: &str) -> Block {
        // SAFETY: alive; a block of a function; the name is a C string.
        Block(unsafe { LLVMInsertBasicBlockInContext(self.context, before.0, c_string(name).as_ptr()) })
    }
}

/// Operators.
impl Emit {
    pub fn binary(&self, opcode: LLVMOpcode, a: Value, b: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildBinOp(self.builder, opcode, a.0, b.0, NAME) })
    }

    pub fn or(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMOr, a, b)
    }

    pub fn add(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMAdd, a, b)
    }

    pub fn compare(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildICmp(self.builder, predicate, a.0, b.0, NAME) })
    }

    pub fn compare_floats(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildFCmp(self.builder, predicate, a.0, b.0, NAME) })
    }

    pub fn is_zero(&self, a: Value) -> Value {
        self.compare(LLVMIntPredicate::LLVMIntEQ, a, a.ty().null())
    }

    pub fn cast(&self, opcode: LLVMOpcode, value: Value, to: Type) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildCast(self.builder, opcode, value.0, to.0, NAME) })
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildSelect(self.builder, condition.0, a.0, b.0, NAME) })
    }

    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildExtractValue(self.builder, aggregate.0, index, NAME) })
    }

    pub fn extract_element(&self, vector: Value, index: u32) -> Value {
        let index = self.i32.constant(u64::from(index));
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildExtractElement(self.builder, vector.0, index.0, NAME) })
    }
}

/// Memory.
impl Emit {
    pub fn load(&self, ty: Type, address: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildLoad2(self.builder, ty.0, address.0, NAME) })
    }

    pub fn store(&self, value: Value, address: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildStore(self.builder, value.0, address.0) })
    }

    pub fn alloca(&self, ty: Type) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildAlloca(self.builder, ty.0, NAME) })
    }

    pub fn alloca_array(&self, element: Type, count: Value) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildArrayAlloca(self.builder, element.0, count.0, NAME) })
    }

    /// `address + offset` bytes.
    pub fn offset(&self, address: Value, offset: Value) -> Value {
        self.element(self.i8, address, offset)
    }

    /// `&array[index]` for elements of type `element`.
    pub fn element(&self, element: Type, array: Value, index: Value) -> Value {
        let mut index = [index.0];
        // SAFETY: alive; positioned; one index.
        Value(unsafe { LLVMBuildGEP2(self.builder, element.0, array.0, index.as_mut_ptr(), 1, NAME) })
    }
}

/// Control.
impl Emit {
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        self.call_typed(function.value_type(), function, arguments)
    }

    pub fn call_typed(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|value| value.0).collect();
        // SAFETY: alive; positioned; as many arguments as said.
        Value(unsafe {
            LLVMBuildCall2(self.builder, ty.0, function.0, arguments.as_mut_ptr(), arguments.len() as c_uint, NAME)
        })
    }

    pub fn phi(&self, ty: Type) -> Value {
        // SAFETY: alive; positioned.
        Value(unsafe { LLVMBuildPhi(self.builder, ty.0, NAME) })
    }

    pub fn jump(&self, to: Block) -> Value {
        // SAFETY: alive; positioned at the end of a block.
        Value(unsafe { LLVMBuildBr(self.builder, to.0) })
    }

    pub fn branch(&self, condition: Value, yes: Block, no: Block) -> Value {
        // SAFETY: alive; positioned at the end of a block.
        Value(unsafe { LLVMBuildCondBr(self.builder, condition.0, yes.0, no.0) })
    }

    /// Says of a branch that it nearly always goes to its first successor: that one stays on the straight path.
    pub fn likely(&self, branch: Value) {
        // SAFETY: alive; a branch; names are as long as said, and so are the parts of the node.
        unsafe {
            let kind = LLVMGetMDKindIDInContext(self.context, c"prof".as_ptr(), 4);
            let name = LLVMMDStringInContext2(self.context, c"branch_weights".as_ptr(), 14);
            let [often, seldom] = [10_000, 1].map(|weight| LLVMValueAsMetadata(self.i32.constant(weight).0));
            let mut parts = [name, often, seldom];
            let node = LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len());
            LLVMSetMetadata(branch.0, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    pub fn ret(&self, value: Option<Value>) -> Value {
        // SAFETY: alive; positioned at the end of a block.
        Value(unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            }
        })
    }
}
