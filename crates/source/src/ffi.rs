//! The part of libclang's C interface that is used, loaded at run time.
//!
//! Loaded rather than linked: the program also holds LLVM itself, and a link-time dependency would let the two copies of
//! LLVM find each other's symbols. Layouts and numbers follow `clang-c/Index.h` of version 19.

#![expect(non_snake_case, reason = "fields carry the names of the C functions they point to")]

use std::ffi::{c_char, c_int, c_longlong, c_uint, c_ulonglong, c_void};
use std::path::PathBuf;

use crate::{Error, Toolchain};

pub type CXIndex = *mut c_void;
pub type CXTranslationUnit = *mut c_void;
pub type CXDiagnostic = *mut c_void;
pub type CXFile = *mut c_void;
pub type CursorVisitor = extern "C" fn(CXCursor, CXCursor, *mut c_void) -> c_int;
pub type FieldVisitor = extern "C" fn(CXCursor, *mut c_void) -> c_int;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CXString {
    data: *const c_void,
    flags: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CXCursor {
    kind: c_int,
    xdata: c_int,
    data: [*const c_void; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CXType {
    pub kind: c_int,
    data: [*mut c_void; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CXSourceLocation {
    ptr_data: [*const c_void; 2],
    int_data: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CXSourceRange {
    ptr_data: [*const c_void; 2],
    begin: c_uint,
    end: c_uint,
}

pub const VISIT_CONTINUE: c_int = 1;
pub const FIELD_CONTINUE: c_int = 1;
pub const DIAGNOSTIC_ERROR: c_int = 3;

macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        /// The loaded library: one field per function.
        pub struct Libclang {
            $(pub $name: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)*
            /// Keeps the code behind the pointers mapped.
            _library: libloading::Library,
        }

        impl Libclang {
            fn bind(library: libloading::Library) -> Result<Libclang, libloading::Error> {
                // SAFETY: the signatures are those of clang-c/Index.h, and the library outlives the pointers.
                unsafe {
                    Ok(Libclang {
                        $($name: *library.get(concat!("clang_", stringify!($name)).as_bytes())?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

functions! {
    createIndex(exclude_pch: c_int, display: c_int) -> CXIndex;
    disposeIndex(index: CXIndex);
    parseTranslationUnit2(index: CXIndex, file: *const c_char, args: *const *const c_char, count: c_int,
        unsaved: *mut c_void, unsaved_count: c_uint, options: c_uint, out: *mut CXTranslationUnit) -> c_int;
    disposeTranslationUnit(unit: CXTranslationUnit);
    getTranslationUnitCursor(unit: CXTranslationUnit) -> CXCursor;
    getNumDiagnostics(unit: CXTranslationUnit) -> c_uint;
    getDiagnostic(unit: CXTranslationUnit, index: c_uint) -> CXDiagnostic;
    getDiagnosticSeverity(diagnostic: CXDiagnostic) -> c_int;
    disposeDiagnostic(diagnostic: CXDiagnostic);
    getCString(string: CXString) -> *const c_char;
    disposeString(string: CXString);

    visitChildren(parent: CXCursor, visitor: CursorVisitor, data: *mut c_void) -> c_uint;
    getCursorKind(cursor: CXCursor) -> c_int;
    getCursorSpelling(cursor: CXCursor) -> CXString;
    getCursorBinaryOperatorKind(cursor: CXCursor) -> c_int;
    getCursorUnaryOperatorKind(cursor: CXCursor) -> c_int;
    getCursorType(cursor: CXCursor) -> CXType;
    getCursorResultType(cursor: CXCursor) -> CXType;
    getCursorSemanticParent(cursor: CXCursor) -> CXCursor;
    getCursorReferenced(cursor: CXCursor) -> CXCursor;
    Cursor_Evaluate(cursor: CXCursor) -> *mut c_void;
    EvalResult_getKind(result: *mut c_void) -> c_int;
    EvalResult_getAsLongLong(result: *mut c_void) -> c_longlong;
    EvalResult_getAsInt(result: *mut c_void) -> c_int;
    EvalResult_dispose(result: *mut c_void) -> ();
    getCursorLinkage(cursor: CXCursor) -> c_int;
    getCursorVisibility(cursor: CXCursor) -> c_int;
    getCursorTLSKind(cursor: CXCursor) -> c_int;
    getCursorLocation(cursor: CXCursor) -> CXSourceLocation;
    getCursorExtent(cursor: CXCursor) -> CXSourceRange;
    getRangeStart(range: CXSourceRange) -> CXSourceLocation;
    getRangeEnd(range: CXSourceRange) -> CXSourceLocation;
    getPresumedLocation(location: CXSourceLocation, file: *mut CXString, line: *mut c_uint, column: *mut c_uint);
    getExpansionLocation(location: CXSourceLocation, file: *mut CXFile, line: *mut c_uint, column: *mut c_uint,
        offset: *mut c_uint);
    getFileName(file: CXFile) -> CXString;
    getFileContents(unit: CXTranslationUnit, file: CXFile, size: *mut usize) -> *const c_char;
    Location_isInSystemHeader(location: CXSourceLocation) -> c_int;
    isCursorDefinition(cursor: CXCursor) -> c_uint;
    Cursor_isNull(cursor: CXCursor) -> c_int;
    Cursor_getStorageClass(cursor: CXCursor) -> c_int;
    Cursor_getMangling(cursor: CXCursor) -> CXString;
    Cursor_isFunctionInlined(cursor: CXCursor) -> c_uint;
    Cursor_getNumArguments(cursor: CXCursor) -> c_int;
    Cursor_getArgument(cursor: CXCursor, index: c_uint) -> CXCursor;
    Cursor_getVarDeclInitializer(cursor: CXCursor) -> CXCursor;

    Type_visitFields(ty: CXType, visitor: FieldVisitor, data: *mut c_void) -> c_uint;
    Cursor_getOffsetOfField(cursor: CXCursor) -> c_longlong;
    Cursor_isBitField(cursor: CXCursor) -> c_uint;
    getFieldDeclBitWidth(cursor: CXCursor) -> c_int;
    getEnumDeclIntegerType(cursor: CXCursor) -> CXType;
    getEnumConstantDeclValue(cursor: CXCursor) -> c_longlong;
    getEnumConstantDeclUnsignedValue(cursor: CXCursor) -> c_ulonglong;

    getCanonicalType(ty: CXType) -> CXType;
    getUnqualifiedType(ty: CXType) -> CXType;
    getTypeSpelling(ty: CXType) -> CXString;
    getTypeDeclaration(ty: CXType) -> CXCursor;
    getPointeeType(ty: CXType) -> CXType;
    getResultType(ty: CXType) -> CXType;
    getNumArgTypes(ty: CXType) -> c_int;
    getArgType(ty: CXType, index: c_uint) -> CXType;
    isFunctionTypeVariadic(ty: CXType) -> c_uint;
    isConstQualifiedType(ty: CXType) -> c_uint;
    getElementType(ty: CXType) -> CXType;
    getArrayElementType(ty: CXType) -> CXType;
    getNumElements(ty: CXType) -> c_longlong;
    Type_getSizeOf(ty: CXType) -> c_longlong;
    Type_getAlignOf(ty: CXType) -> c_longlong;
    Type_getValueType(ty: CXType) -> CXType;
}

impl Libclang {
    /// Loads the library of `toolchain`.
    pub fn load(toolchain: &Toolchain) -> Result<Libclang, Error> {
        let candidates = toolchain.libclang();
        let mut reason = String::new();
        for path in &candidates {
            // SAFETY: libclang's initialisers have no preconditions.
            let loaded = unsafe { libloading::Library::new(path) }.and_then(Libclang::bind);
            match loaded {
                Ok(library) => return Ok(library),
                Err(error) => reason = error.to_string(),
            }
        }
        let tried: Vec<String> = candidates.iter().map(|path: &PathBuf| path.display().to_string()).collect();
        Err(Error::NoLibclang { tried: tried.join(", "), reason })
    }
}
