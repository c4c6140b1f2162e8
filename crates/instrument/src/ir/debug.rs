//! Where things come from in the source.

use super::{Value, text};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDIScopeGetFile, LLVMGetSubprogram,
};

/// Where an instruction, a function or a global variable comes from in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Value {
    /// Source position of an instruction, a function or a global variable; line 0 when there is none.
    pub fn location(self) -> Location {
        debug_assert!(self.is_instruction() || self.is_function() || self.is_global_variable());
        let (mut file_length, mut folder_length) = (0, 0);
        // SAFETY: alive; of a kind that has a place; texts are as long as LLVM says.
        unsafe {
            let file = LLVMGetDebugLocFilename(self.0, &mut file_length);
            let folder = LLVMGetDebugLocDirectory(self.0, &mut folder_length);
            let file = joined(&text(folder, folder_length as usize), text(file, file_length as usize));
            let column = if self.is_instruction() { LLVMGetDebugLocColumn(self.0) } else { 0 };
            Location { file, line: LLVMGetDebugLocLine(self.0), column }
        }
    }

    /// The file whose compilation made this function, where debug information says so.
    pub fn unit(self) -> Option<String> {
        /// Where a subprogram of LLVM 19 keeps its unit.
        const UNIT: usize = 5;
        debug_assert!(self.is_function());
        // SAFETY: alive; a function; a subprogram is a node with operands, and what it has at `UNIT` is a scope that has a file; there is room
        // for as many operands as there are; texts are as long as LLVM says.
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return None;
            }
            let subprogram = LLVMMetadataAsValue(self.ty().context(), subprogram);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(subprogram) as usize];
            LLVMGetMDNodeOperands(subprogram, operands.as_mut_ptr());
            let unit = operands.get(UNIT).copied().filter(|unit| !unit.is_null())?;
            let file = LLVMDIScopeGetFile(LLVMValueAsMetadata(unit));
            let (mut file_length, mut folder_length) = (0, 0);
            let folder = LLVMDIFileGetDirectory(file, &mut folder_length);
            let name = LLVMDIFileGetFilename(file, &mut file_length);
            Some(joined(&text(folder, folder_length as usize), text(name, file_length as usize)))
        }
    }
}

/// The file as seen from anywhere.
fn joined(folder: &str, file: String) -> String {
    match (file.starts_with('/'), folder.is_empty() || file.is_empty()) {
        (true, _) | (_, true) => file,
        (false, false) => format!("{folder}/{file}"),
    }
}
