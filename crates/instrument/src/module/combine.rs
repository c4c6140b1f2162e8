//! Joins the user's module with the library models, and points library calls at them.
//!
//! A declaration `strlen` becomes `__covet_libc_strlen` when the models or the runtime define that; a function the user defines keeps its
//! name and meaning. `main` becomes `__covet_user_main`: the runtime has the real one.

use crate::Error;
use crate::ir::{self, LLVMLinkage, Value};
use covet_abi::symbols::{END_RUN, LIBRARY, OURS, REFUSED, USER_MAIN};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::collections::HashSet;
use std::path::Path;

/// What `LLVMGetStringAttributeAtIndex` finds on functions that are ours.
const MODEL_ATTRIBUTE: &str = "covet-model";
/// ... and on functions that the user made static.
const STATIC_ATTRIBUTE: &str = "covet-static";

pub fn combine<'c>(context: &'c Context, user: &Path, models: &Path) -> Result<Module<'c>, Error> {
    let program = read(context, user)?;
    let library = read(context, models)?;
    let provided = mark_models(&library);
    let own = ir::Module::of(&program);
    for function in own.functions() {
        redirect(function, &provided);
    }
    for function in own.functions() {
        if function.linkage() == LLVMLinkage::LLVMInternalLinkage {
            function.add_text_attribute(STATIC_ATTRIBUTE, "1");
        }
        keep_to_program(function);
    }
    program.link_in_module(library).map_err(|message| Error::Link(message.to_string()))?;
    // Unused models go away with the next clean-up; the runtime calls these itself.
    let is_called = |function: &Value| [END_RUN, REFUSED].contains(&function.name().as_str());
    let models = own.functions().into_iter().filter(|function| is_model(*function) && !is_called(function));
    let aliases = own.aliases().into_iter().filter(|alias| alias.name().starts_with(LIBRARY));
    for model in models.chain(aliases) {
        model.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    }
    Ok(program)
}

/// True for functions of the models, and for the drivers.
pub fn is_ours(function: Value) -> bool {
    is_model(function) || is_our_name(&function.name())
}

/// True for names that no part of the user's program has.
pub fn is_our_name(name: &str) -> bool {
    name.starts_with(OURS) && name != USER_MAIN
}

fn is_model(function: Value) -> bool {
    function.has_text_attribute(MODEL_ATTRIBUTE)
}

/// True for functions that the user made static: joining has made all of them so.
pub fn is_static(function: Value) -> bool {
    function.has_text_attribute(STATIC_ATTRIBUTE)
}

pub fn read<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Error> {
    let unreadable = |reason: String| Error::Bitcode { path: path.to_owned(), reason };
    let buffer = MemoryBuffer::create_from_file(path).map_err(|message| unreadable(message.to_string()))?;
    Module::parse_bitcode_from_buffer(&buffer, context).map_err(|message| unreadable(message.to_string()))
}

/// Marks every function of the models and gives the names of those that stand for library functions.
fn mark_models(library: &Module) -> HashSet<String> {
    let library = ir::Module::of(library);
    let mut provided: HashSet<String> = covet_abi::libc::RUNTIME_LIBC.iter().map(|name| (*name).to_owned()).collect();
    for function in library.functions() {
        if !function.is_declaration() {
            function.add_text_attribute(MODEL_ATTRIBUTE, "1");
            if let Some(name) = function.name().strip_prefix(LIBRARY) {
                provided.insert(name.to_owned());
            }
        }
    }
    // Aliases stand for library functions too.
    let aliases = library.aliases();
    provided.extend(aliases.iter().filter_map(|alias| alias.name().strip_prefix(LIBRARY).map(str::to_owned)));
    provided
}

/// A function of the user's that is called like one of the C library (`read`, `strlen`) must not become that of the models and the
/// runtime: it is visible in the program alone. Linking renames it where the models mean the library's.
fn keep_to_program(function: Value) {
    if function.is_declaration() || function.name().starts_with(OURS) {
        return;
    }
    match function.linkage() {
        LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMWeakODRLinkage => {
            function.show_to_all();
            function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
        _ => {}
    }
}

fn redirect(function: Value, provided: &HashSet<String>) {
    let name = function.name();
    if function.is_declaration() {
        let plain = name.strip_prefix('\u{1}').unwrap_or(&name);
        if provided.contains(plain) {
            let replacement = format!("{LIBRARY}{plain}");
            match function.module().function(&replacement) {
                Some(known) => function.replace_uses(known),
                None => function.set_name(&replacement),
            }
        }
    } else if name == "main" {
        function.set_name(USER_MAIN);
        function.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    }
}
