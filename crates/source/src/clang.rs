//! Safe cursors and types over libclang. A [`Cursor`] or [`Ty`] borrows the [`Tree`] it came from, so nothing outlives the
//! parsed unit.

#![expect(unsafe_code, reason = "every call crosses into libclang")]

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::ffi::{self, CXCursor, CXIndex, CXSourceLocation, CXString, CXTranslationUnit, CXType, Libclang};
use crate::unit::Visibility;

/// A parsed translation unit.
pub struct Tree<'l> {
    lib: &'l Libclang,
    index: CXIndex,
    unit: CXTranslationUnit,
}

/// A place in the source as `#line` presents it: the same that debug information records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// Why there is no tree.
pub enum ParseFailure {
    NulInFlag,
    Code(i32),
}

impl<'l> Tree<'l> {
    pub fn parse(lib: &'l Libclang, file: &Path, flags: &[String]) -> Result<Tree<'l>, ParseFailure> {
        let nul = |_| ParseFailure::NulInFlag;
        let file = CString::new(file.as_os_str().as_encoded_bytes()).map_err(nul)?;
        let flags: Vec<CString> =
            flags.iter().map(|flag| CString::new(flag.as_bytes()).map_err(nul)).collect::<Result<_, _>>()?;
        let pointers: Vec<_> = flags.iter().map(|flag| flag.as_ptr()).collect();
        // SAFETY: all pointers live across the call; the tree is owned by the value returned.
        unsafe {
            // The first index registers LLVM's targets in a list without a lock.
            let index = {
                static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
                let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
                (lib.createIndex)(0, 0)
            };
            let mut tree = Tree { lib, index, unit: ptr::null_mut() };
            let code = (lib.parseTranslationUnit2)(
                tree.index,
                file.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as c_int,
                ptr::null_mut(),
                0,
                0,
                &mut tree.unit,
            );
            if code != 0 || tree.unit.is_null() {
                return Err(ParseFailure::Code(code));
            }
            Ok(tree)
        }
    }

    pub fn has_errors(&self) -> bool {
        // SAFETY: the unit is alive; each diagnostic is disposed of once.
        unsafe {
            (0..(self.lib.getNumDiagnostics)(self.unit)).any(|i| {
                let diagnostic = (self.lib.getDiagnostic)(self.unit, i);
                let severity = (self.lib.getDiagnosticSeverity)(diagnostic);
                (self.lib.disposeDiagnostic)(diagnostic);
                severity >= ffi::DIAGNOSTIC_ERROR
            })
        }
    }

    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is alive.
        Cursor { tree: self, raw: unsafe { (self.lib.getTranslationUnitCursor)(self.unit) } }
    }

    fn text(&self, string: CXString) -> String {
        // SAFETY: a libclang string is valid until disposed of, once, here.
        unsafe {
            let chars = (self.lib.getCString)(string);
            let text =
                if chars.is_null() { String::new() } else { CStr::from_ptr(chars).to_string_lossy().into_owned() };
            (self.lib.disposeString)(string);
            text
        }
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        // SAFETY: created in `parse`, disposed of once, unit before index.
        unsafe {
            if !self.unit.is_null() {
                (self.lib.disposeTranslationUnit)(self.unit);
            }
            (self.lib.disposeIndex)(self.index);
        }
    }
}

/// The declarations that matter here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CursorKind {
    Union,
    EnumConstant,
    Function,
    Variable,
    /// An expression that names a variable or function.
    Reference,
    /// `s.f` and `p->f`.
    Member,
    Call,
    Cast,
    /// An implicit conversion or parentheses.
    Wrapping,
    Subscript,
    /// `<`, `>`, `<=`, `>=`, `==` or `!=`.
    Comparison,
    /// `a + b`
    Sum,
    /// `a - b`
    Difference,
    /// `*p`
    Dereference,
    /// `&x`
    AddressOf,
    /// `a = b`
    Assignment,
    /// `a += b`, `a++`
    Change,
    Return,
    /// A string literal.
    Text,
    /// What asks whether something is zero: `if`, loops, `!`, `&&`, `||`, `? :`.
    Test,
    Switch,
    Case,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Extern,
    Static,
    Other,
}

/// `CXCursor_VisibilityAttr`.
const VISIBILITY_ATTRIBUTE: c_int = 417;

#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    tree: &'t Tree<'t>,
    raw: CXCursor,
}

/// Calls a libclang function of this value and nothing else.
macro_rules! call {
    ($self:ident.$name:ident $(, $arg:expr)*) => {
        // SAFETY: the value belongs to a live tree.
        unsafe { ($self.tree.lib.$name)($self.raw $(, $arg)*) }
    };
}

mod evaluate;
mod ty;

pub use ty::{Shape, Ty};

impl<'t> Cursor<'t> {
    pub fn children(self) -> Vec<Cursor<'t>> {
        extern "C" fn visit(child: CXCursor, _parent: CXCursor, data: *mut c_void) -> c_int {
            // SAFETY: `data` is the vector passed below, alive during the visit.
            unsafe { (*data.cast::<Vec<CXCursor>>()).push(child) };
            ffi::VISIT_CONTINUE
        }
        let mut found: Vec<CXCursor> = Vec::new();
        call!(self.visitChildren, visit, ptr::from_mut(&mut found).cast());
        found.into_iter().map(|raw| Cursor { tree: self.tree, raw }).collect()
    }

    pub fn kind(self) -> CursorKind {
        match call!(self.getCursorKind) {
            3 => CursorKind::Union,
            7 => CursorKind::EnumConstant,
            8 => CursorKind::Function,
            9 => CursorKind::Variable,
            100 | 111 => CursorKind::Wrapping,
            101 => CursorKind::Reference,
            102 => CursorKind::Member,
            103 => CursorKind::Call,
            117 => CursorKind::Cast,
            113 => CursorKind::Subscript,
            112 => match call!(self.getCursorUnaryOperatorKind) {
                1..=4 => CursorKind::Change,
                5 => CursorKind::AddressOf,
                6 => CursorKind::Dereference,
                10 => CursorKind::Test,
                _ => CursorKind::Other,
            },
            114 => match call!(self.getCursorBinaryOperatorKind) {
                6 => CursorKind::Sum,
                7 => CursorKind::Difference,
                11..=16 => CursorKind::Comparison,
                20 | 21 => CursorKind::Test,
                22 => CursorKind::Assignment,
                _ => CursorKind::Other,
            },
            116 | 205 | 207..=209 => CursorKind::Test,
            203 => CursorKind::Case,
            206 => CursorKind::Switch,
            109 => CursorKind::Text,
            115 => CursorKind::Change,
            214 => CursorKind::Return,
            _ => CursorKind::Other,
        }
    }

    /// Of a comparison: `==` or `!=`.
    pub fn is_equality(self) -> bool {
        matches!(call!(self.getCursorBinaryOperatorKind), 15 | 16)
    }

    /// Of what asks whether something is zero: what it asks about.
    pub fn conditions(self, children: &[Cursor<'t>]) -> Vec<Cursor<'t>> {
        match (call!(self.getCursorKind), children) {
            // `? :`, `if`, `while`
            (116 | 205 | 207, [condition, ..]) => vec![*condition],
            // `do`
            (208, [.., condition]) => vec![*condition],
            // `!`, `&&`, `||`, `for`
            (112 | 114 | 209, _) => children.to_vec(),
            _ => Vec::new(),
        }
    }

    pub fn is_if(self) -> bool {
        call!(self.getCursorKind) == 205
    }

    pub fn is_loop(self) -> bool {
        matches!(call!(self.getCursorKind), 207..=209)
    }

    /// `0` or `NULL`, as a pointer or compared with one.
    pub fn is_null(self) -> bool {
        match call!(self.getCursorKind) {
            106 => self.integer() == 0,
            100 | 111 | 117 => self.children().last().is_some_and(|inner| inner.is_null()),
            _ => false,
        }
    }

    pub fn storage(self) -> Storage {
        match call!(self.Cursor_getStorageClass) {
            2 => Storage::Extern,
            3 => Storage::Static,
            _ => Storage::Other,
        }
    }

    pub fn name(self) -> String {
        let string = call!(self.getCursorSpelling);
        self.tree.text(string)
    }

    /// The symbol in the object file.
    pub fn symbol(self) -> String {
        let string = call!(self.Cursor_getMangling);
        self.tree.text(string)
    }

    pub fn ty(self) -> Ty<'t> {
        self.of(call!(self.getCursorType))
    }

    pub fn result(self) -> Ty<'t> {
        self.of(call!(self.getCursorResultType))
    }

    pub fn arguments(self) -> Vec<Cursor<'t>> {
        let count = call!(self.Cursor_getNumArguments).max(0) as c_uint;
        (0..count).map(|i| Cursor { tree: self.tree, raw: call!(self.Cursor_getArgument, i) }).collect()
    }

    pub fn has_internal_linkage(self) -> bool {
        call!(self.getCursorLinkage) == 2
    }

    /// Who can see its symbol, and whether an attribute says so.
    pub fn visibility(self) -> Visibility {
        let is_said = || self.children().into_iter().any(|child| call!(child.getCursorKind) == VISIBILITY_ATTRIBUTE);
        match call!(self.getCursorVisibility) {
            1 => Visibility::Hidden,
            _ if is_said() => Visibility::Default,
            _ => Visibility::Unsaid,
        }
    }

    /// Whether it is known beyond its block: functions and file-scope variables.
    pub fn has_linkage(self) -> bool {
        call!(self.getCursorLinkage) > 1
    }

    /// What a reference names.
    pub fn referenced(self) -> Cursor<'t> {
        Cursor { tree: self.tree, raw: call!(self.getCursorReferenced) }
    }

    /// What it is declared in.
    pub fn parent(self) -> Cursor<'t> {
        Cursor { tree: self.tree, raw: call!(self.getCursorSemanticParent) }
    }

    pub fn is_thread_local(self) -> bool {
        call!(self.getCursorTLSKind) != 0
    }

    pub fn is_definition(self) -> bool {
        call!(self.isCursorDefinition) != 0
    }

    pub fn is_inline(self) -> bool {
        call!(self.Cursor_isFunctionInlined) != 0
    }

    pub fn initializer(self) -> Option<Cursor<'t>> {
        let initializer = Cursor { tree: self.tree, raw: call!(self.Cursor_getVarDeclInitializer) };
        (call!(initializer.Cursor_isNull) == 0).then_some(initializer)
    }

    /// Whether an initializer says nothing that no initializer would not say: `0`, `NULL`, `{ 0 }`.
    pub fn is_zero(self) -> bool {
        match call!(self.getCursorKind) {
            43 => true, // the type of a cast
            106 => self.integer() == 0,
            100 | 111 | 117 | 119 => self.children().into_iter().all(Cursor::is_zero),
            _ => false,
        }
    }

    /// The real file this was written in (or where the macro that made it was used), whatever `#line` says.
    pub fn real_file(self) -> String {
        let (mut file, mut line, mut column, mut offset) = (ptr::null_mut(), 0, 0, 0);
        // SAFETY: as in `call!`; the out pointers are to locals.
        unsafe {
            let lib = self.tree.lib;
            (lib.getExpansionLocation)(self.location(), &mut file, &mut line, &mut column, &mut offset);
            if file.is_null() { String::new() } else { self.tree.text((lib.getFileName)(file)) }
        }
    }

    /// The attributes of a declaration that have no kind of their own, as they are written; of one that a macro makes, the macro.
    pub fn attributes(self) -> Vec<String> {
        const ATTRIBUTE: c_int = 400;
        let all = self.children().into_iter().filter(|child| call!(child.getCursorKind) == ATTRIBUTE);
        all.filter_map(|attribute| attribute.text()).collect()
    }

    /// Its text in the file; of what a macro makes, the rest of the line where the macro is used.
    pub fn text(self) -> Option<String> {
        let (mut file, mut line, mut column, mut from, mut to, mut size) = (ptr::null_mut(), 0, 0, 0, 0, 0);
        let lib = self.tree.lib;
        let range = call!(self.getCursorExtent);
        // SAFETY: as in `call!`; the contents of a file live as long as the tree.
        let bytes = unsafe {
            (lib.getExpansionLocation)((lib.getRangeEnd)(range), &mut file, &mut line, &mut column, &mut to);
            let last = file;
            (lib.getExpansionLocation)((lib.getRangeStart)(range), &mut file, &mut line, &mut column, &mut from);
            to = if last == file { to } else { 0 };
            let known = !file.is_null();
            let contents = if known { (lib.getFileContents)(self.tree.unit, file, &mut size) } else { ptr::null() };
            if contents.is_null() {
                return None;
            }
            std::slice::from_raw_parts(contents.cast::<u8>(), size)
        };
        let rest = bytes.get(from as usize..)?;
        let own = (to as usize).checked_sub(from as usize).filter(|length| *length > 0);
        let text = match own {
            Some(length) => rest.get(..length)?,
            None => rest.split(|byte| *byte == b'\n').next()?,
        };
        Some(String::from_utf8_lossy(text).into_owned())
    }

    pub fn is_in_system_header(self) -> bool {
        // SAFETY: as in `call!`.
        unsafe { (self.tree.lib.Location_isInSystemHeader)(self.location()) != 0 }
    }

    pub fn start(self) -> Place {
        self.place(self.location())
    }

    /// Where its text begins; `start` is the point it is known by.
    pub fn first(self) -> Place {
        let range = call!(self.getCursorExtent);
        // SAFETY: as in `call!`.
        self.place(unsafe { (self.tree.lib.getRangeStart)(range) })
    }

    pub fn is_expression(self) -> bool {
        (100..200).contains(&call!(self.getCursorKind))
    }

    pub fn end(self) -> Place {
        let range = call!(self.getCursorExtent);
        // SAFETY: as in `call!`.
        self.place(unsafe { (self.tree.lib.getRangeEnd)(range) })
    }

    /// Offset of a field in its own record, in bits.
    pub fn field_offset(self) -> Option<u64> {
        u64::try_from(call!(self.Cursor_getOffsetOfField)).ok()
    }

    pub fn bit_width(self) -> Option<u32> {
        (call!(self.Cursor_isBitField) != 0).then(|| call!(self.getFieldDeclBitWidth).max(0) as u32)
    }

    pub fn enum_integer(self) -> Ty<'t> {
        self.of(call!(self.getEnumDeclIntegerType))
    }

    pub fn enum_value(self, signed: bool) -> i128 {
        if signed {
            i128::from(call!(self.getEnumConstantDeclValue))
        } else {
            i128::from(call!(self.getEnumConstantDeclUnsignedValue))
        }
    }

    fn location(self) -> CXSourceLocation {
        call!(self.getCursorLocation)
    }

    fn place(self, location: CXSourceLocation) -> Place {
        let (mut line, mut column) = (0, 0);
        // SAFETY: `file` is written by the call before it is read.
        unsafe {
            let mut file = std::mem::MaybeUninit::<CXString>::uninit();
            (self.tree.lib.getPresumedLocation)(location, file.as_mut_ptr(), &mut line, &mut column);
            Place { file: self.tree.text(file.assume_init()), line, column }
        }
    }

    fn of(self, raw: CXType) -> Ty<'t> {
        Ty { tree: self.tree, raw }
    }
}
