//! Plain handles on LLVM values, types and blocks, and an emitter that appends instructions.
//!
//! `inkwell` owns contexts, modules, targets and passes. The rewriting itself meets operands of every type in every
//! position, where `inkwell`'s typed values need a `match` per operand; these `Copy` handles keep it readable. A handle is
//! valid while its module lives; only this crate sees them.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDIScopeGetFile, LLVMGetSubprogram, LLVMInstructionGetDebugLoc,
};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};
use std::ffi::{CString, c_uint};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub LLVMValueRef);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub LLVMTypeRef);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub LLVMBasicBlockRef);

/// Where an instruction, a function or a global variable comes from in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

pub fn c_string(text: &str) -> CString {
    CString::new(text).expect("names in a module hold no NUL")
}

impl Value {
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let text = unsafe { LLVMGetValueName2(self.0, &mut length) };
        String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.cast(), length) }).into_owned()
    }

    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub fn is_instruction(self) -> bool {
        !unsafe { LLVMIsAInstruction(self.0) }.is_null()
    }

    pub fn is_function(self) -> bool {
        !unsafe { LLVMIsAFunction(self.0) }.is_null()
    }

    pub fn is_inline_assembly(self) -> bool {
        !unsafe { LLVMIsAInlineAsm(self.0) }.is_null()
    }

    /// The number, when this is an integer constant of up to 64 bits.
    pub fn as_constant(self) -> Option<u64> {
        let constant = unsafe { LLVMIsAConstantInt(self.0) };
        (!constant.is_null() && self.ty().integer_width().is_some_and(|width| width <= 64))
            .then(|| unsafe { LLVMConstIntGetZExtValue(constant) })
    }

    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) }.unsigned_abs()
    }

    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub fn successors(self) -> Vec<Block> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|i| Block(unsafe { LLVMGetSuccessor(self.0, i) })).collect()
    }

    pub fn set_successor(self, index: usize, block: Block) {
        unsafe { LLVMSetSuccessor(self.0, index as c_uint, block.0) }
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        (0..count)
            .map(|i| unsafe { (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))) })
            .collect()
    }

    pub fn add_incoming(self, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) }
    }

    pub fn replace_uses(self, by: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, by.0) }
    }

    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// Source position of an instruction, a function or a global variable; line 0 when there is none.
    pub fn location(self) -> Location {
        let mut length = 0;
        let file = unsafe { text(LLVMGetDebugLocFilename(self.0, &mut length), length) };
        length = 0;
        let folder = unsafe { text(LLVMGetDebugLocDirectory(self.0, &mut length), length) };
        let file = joined(&folder, file);
        let column = if self.is_instruction() { unsafe { LLVMGetDebugLocColumn(self.0) } } else { 0 };
        Location { file, line: unsafe { LLVMGetDebugLocLine(self.0) }, column }
    }
}

/// A text of LLVM's, empty where there is none.
///
/// # Safety
/// `pointer` is null or points at `length` bytes.
unsafe fn text(pointer: *const std::ffi::c_char, length: c_uint) -> String {
    if pointer.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// The file as seen from anywhere.
fn joined(folder: &str, file: String) -> String {
    match (file.starts_with('/'), folder.is_empty() || file.is_empty()) {
        (true, _) | (_, true) => file,
        (false, false) => format!("{folder}/{file}"),
    }
}

/// Functions.
impl Value {
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// The type of a function, or of a global variable's content.
    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// The file whose compilation made this function, where debug information says so.
    pub fn unit(self) -> Option<String> {
        /// Where a subprogram of LLVM 19 keeps its unit.
        const UNIT: usize = 5;
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return None;
            }
            let context = LLVMGetModuleContext(LLVMGetGlobalParent(self.0));
            let subprogram = LLVMMetadataAsValue(context, subprogram);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(subprogram) as usize];
            LLVMGetMDNodeOperands(subprogram, operands.as_mut_ptr());
            let unit = operands.get(UNIT).copied().filter(|unit| !unit.is_null())?;
            let file = LLVMDIScopeGetFile(LLVMValueAsMetadata(unit));
            let (mut file_length, mut folder_length) = (0, 0);
            let name = text(LLVMDIFileGetFilename(file, &mut file_length), file_length);
            let folder = text(LLVMDIFileGetDirectory(file, &mut folder_length), folder_length);
            Some(joined(&folder, name))
        }
    }

    pub fn parameters(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut next = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !next.is_null() {
            blocks.push(Block(next));
            next = unsafe { LLVMGetNextBasicBlock(next) };
        }
        blocks
    }

    pub fn has_attribute(self, name: &str) -> bool {
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        !unsafe { LLVMGetEnumAttributeAtIndex(self.0, FUNCTION_INDEX, kind) }.is_null()
    }

    pub fn add_attribute(self, context: LLVMContextRef, name: &str) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMAddAttributeAtIndex(self.0, FUNCTION_INDEX, LLVMCreateEnumAttribute(context, kind, 0));
        }
    }

    pub fn has_text_attribute(self, key: &str) -> bool {
        let attribute =
            unsafe { LLVMGetStringAttributeAtIndex(self.0, FUNCTION_INDEX, key.as_ptr().cast(), key.len() as c_uint) };
        !attribute.is_null()
    }

    pub fn add_text_attribute(self, context: LLVMContextRef, key: &str, value: &str) {
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                context,
                key.as_ptr().cast(),
                key.len() as c_uint,
                value.as_ptr().cast(),
                value.len() as c_uint,
            );
            LLVMAddAttributeAtIndex(self.0, FUNCTION_INDEX, attribute);
        }
    }

    /// The pointee type of a `byval` parameter (of a function) or argument (of a call).
    pub fn by_value_type(self, argument: u32) -> Option<Type> {
        let kind = unsafe { LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5) };
        let attribute = unsafe {
            if self.is_function() {
                LLVMGetEnumAttributeAtIndex(self.0, argument + 1, kind)
            } else {
                LLVMGetCallSiteEnumAttribute(self.0, argument + 1, kind)
            }
        };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }
}

const FUNCTION_INDEX: c_uint = c_uint::MAX;

impl Block {
    pub fn name(self) -> String {
        unsafe { std::ffi::CStr::from_ptr(LLVMGetBasicBlockName(self.0)) }.to_string_lossy().into_owned()
    }

    pub fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = unsafe { LLVMGetFirstInstruction(self.0) };
        while !next.is_null() {
            all.push(Value(next));
            next = unsafe { LLVMGetNextInstruction(next) };
        }
        all
    }

    pub fn terminator(self) -> Option<Value> {
        let terminator = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!terminator.is_null()).then_some(Value(terminator))
    }

    pub fn phis(self) -> Vec<Value> {
        self.instructions().into_iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).collect()
    }
}

impl Type {
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub fn integer_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    pub fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }

    pub fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    /// Elements of an array or a vector.
    pub fn count(self) -> u64 {
        if self.is_vector() {
            u64::from(unsafe { LLVMGetVectorSize(self.0) })
        } else {
            unsafe { LLVMGetArrayLength2(self.0) }
        }
    }

    pub fn fields(self) -> Vec<Type> {
        (0..unsafe { LLVMCountStructElementTypes(self.0) })
            .map(|i| Type(unsafe { LLVMStructGetTypeAtIndex(self.0, i) }))
            .collect()
    }

    pub fn null(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }

    pub fn constant(self, number: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, number, 0) })
    }

    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

/// Appends instructions at a position. All of these emit exactly the instruction they are named after.
pub struct Emit {
    builder: LLVMBuilderRef,
    pub context: LLVMContextRef,
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
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

const NAME: *const std::ffi::c_char = c"".as_ptr();

impl Emit {
    pub fn new(context: LLVMContextRef) -> Emit {
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

    pub fn integer(&self, width: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context, width) })
    }

    /// Before `instruction`, taking over its source position.
    pub fn before(&self, instruction: Value) {
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) }
    }

    pub fn after(&self, instruction: Value) {
        let location = unsafe { LLVMInstructionGetDebugLoc(instruction.0) };
        let next = unsafe { LLVMGetNextInstruction(instruction.0) };
        self.before(Value(next));
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, location) }
    }

    pub fn at_end(&self, block: Block) {
        unsafe {
            LLVMPositionBuilderAtEnd(self.builder, block.0);
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
        }
    }

    /// Takes over the source position of `instruction`.
    pub fn located_as(&self, instruction: Value) {
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(instruction.0)) }
    }

    /// Inserts an instruction that is in no block, under the name it has (LLVM would drop it).
    pub fn insert(&self, instruction: Value) {
        let name = c_string(&instruction.name());
        unsafe { LLVMInsertIntoBuilderWithName(self.builder, instruction.0, name.as_ptr()) }
    }

    pub fn append_block(&self, function: Value, name: &str) -> Block {
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, c_string(name).as_ptr()) })
    }

    pub fn prepend_block(&self, before: Block, name: &str) -> Block {
        Block(unsafe { LLVMInsertBasicBlockInContext(self.context, before.0, c_string(name).as_ptr()) })
    }

    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        self.call_typed(function.value_type(), function, arguments)
    }

    pub fn call_typed(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|value| value.0).collect();
        Value(unsafe {
            LLVMBuildCall2(self.builder, ty.0, function.0, arguments.as_mut_ptr(), arguments.len() as c_uint, NAME)
        })
    }

    pub fn binary(&self, opcode: LLVMOpcode, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildBinOp(self.builder, opcode, a.0, b.0, NAME) })
    }

    pub fn or(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMOr, a, b)
    }

    pub fn add(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMAdd, a, b)
    }

    pub fn compare(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildICmp(self.builder, predicate, a.0, b.0, NAME) })
    }

    pub fn compare_floats(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildFCmp(self.builder, predicate, a.0, b.0, NAME) })
    }

    pub fn is_zero(&self, a: Value) -> Value {
        self.compare(LLVMIntPredicate::LLVMIntEQ, a, a.ty().null())
    }

    pub fn cast(&self, opcode: LLVMOpcode, value: Value, to: Type) -> Value {
        Value(unsafe { LLVMBuildCast(self.builder, opcode, value.0, to.0, NAME) })
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.builder, condition.0, a.0, b.0, NAME) })
    }

    pub fn phi(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPhi(self.builder, ty.0, NAME) })
    }

    pub fn load(&self, ty: Type, address: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.builder, ty.0, address.0, NAME) })
    }

    pub fn store(&self, value: Value, address: Value) -> Value {
        Value(unsafe { LLVMBuildStore(self.builder, value.0, address.0) })
    }

    pub fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.builder, ty.0, NAME) })
    }

    pub fn alloca_array(&self, element: Type, count: Value) -> Value {
        Value(unsafe { LLVMBuildArrayAlloca(self.builder, element.0, count.0, NAME) })
    }

    /// `address + offset` bytes.
    pub fn offset(&self, address: Value, offset: Value) -> Value {
        let mut index = [offset.0];
        Value(unsafe { LLVMBuildGEP2(self.builder, self.i8.0, address.0, index.as_mut_ptr(), 1, NAME) })
    }

    /// `&array[index]` for elements of type `element`.
    pub fn element(&self, element: Type, array: Value, index: Value) -> Value {
        let mut index = [index.0];
        Value(unsafe { LLVMBuildGEP2(self.builder, element.0, array.0, index.as_mut_ptr(), 1, NAME) })
    }

    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        Value(unsafe { LLVMBuildExtractValue(self.builder, aggregate.0, index, NAME) })
    }

    pub fn extract_element(&self, vector: Value, index: u32) -> Value {
        let index = self.i32.constant(u64::from(index));
        Value(unsafe { LLVMBuildExtractElement(self.builder, vector.0, index.0, NAME) })
    }

    pub fn jump(&self, to: Block) -> Value {
        Value(unsafe { LLVMBuildBr(self.builder, to.0) })
    }

    pub fn branch(&self, condition: Value, yes: Block, no: Block) -> Value {
        Value(unsafe { LLVMBuildCondBr(self.builder, condition.0, yes.0, no.0) })
    }

    pub fn ret(&self, value: Option<Value>) -> Value {
        Value(unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            }
        })
    }
}

/// Names of an intrinsic: `llvm.smax.i32` → `Some("smax")`-style base names are found by prefix.
pub fn intrinsic_name(function: Value) -> Option<String> {
    let id = unsafe { LLVMGetIntrinsicID(function.0) };
    if id == 0 {
        return None;
    }
    let mut length = 0;
    let text = unsafe { LLVMIntrinsicGetName(id, &mut length) };
    Some(String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.cast(), length) }).into_owned())
}
