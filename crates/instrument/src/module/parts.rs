//! The rewritten module → parts of which code is generated apart from each other.
//!
//! ```text
//! guards      @covet.add.i32, ...                     what slow copies call
//! data        all variables, tables, aliases; functions whose blocks have addresses
//! functions   some functions; guards for inlining      as many of these as there are
//! ```
//!
//! What was internal to the module is now seen by all its parts, under names that no library has. Where the list of functions is cut depends on
//! their names and sizes near by, so that an edit elsewhere leaves a part as it was.

use crate::Error;
use crate::ir::{self, LLVMLinkage, LLVMOpcode, LLVMTypeKind, Value};
use crate::module::promote;
use covet_abi::symbols;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use std::collections::HashSet;

/// A part of the program.
pub struct Part {
    kind: Kind,
    /// The functions whose bodies are in it, by name.
    functions: HashSet<String>,
    /// Instructions, about.
    pub weight: usize,
    /// Whether time must not be lost on good code: it holds a giant function, or drivers, which run once in a run.
    pub is_quick: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Guards,
    Data,
    Functions,
}

/// Instructions above which a function is giant. What a good register allocation costs grows faster than the function.
const GIANT: usize = 6_000;
/// Blocks times slots above which it is, too: making registers of slots takes time and phis in the order of that product.
const MOST_SLOT_BLOCKS: usize = 400_000;
/// Parts that there are at most, about: each looks at the declarations of the whole.
const MOST_PARTS: usize = 64;
/// Instructions below which a program is not worth parting: every part reads the whole first.
const SMALL: usize = 60_000;
/// Instructions after which a part of a small program is full.
const FULL: usize = 8_192;
/// One in so many of its functions ends a part, whatever it is behind.
const CUT: usize = 16;

/// Makes everything of the module visible to its parts and says what those are.
pub fn plan(module: ir::Module) -> Vec<Part> {
    share(module);
    let pinned: HashSet<Value> = module.aliases().into_iter().map(|alias| alias.aliasee().base()).collect();
    let [mut guards, mut data, mut open, mut drivers] =
        [Kind::Guards, Kind::Data, Kind::Functions, Kind::Functions].map(Part::new);
    let mut parts = Vec::new();
    let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    let sizes: Vec<(Value, Size)> = defined.map(|function| (function, Size::of(function))).collect();
    let all: usize = sizes.iter().map(|(_, size)| size.instructions).sum();
    let is_small = all < SMALL && !sizes.iter().any(|(_, size)| size.is_giant());
    let is_whole = module.has_chosen_functions() || is_small;
    // Rounded: a little more or less of a program leaves its parts as they are.
    let full = (all / MOST_PARTS).next_power_of_two().max(FULL);
    let cut = (sizes.len() / MOST_PARTS).next_power_of_two().max(CUT);
    for (function, size) in sizes {
        if size.is_giant() {
            // Slots stay in memory, as in plain `-O0` code.
            function.add_attribute("noinline");
            function.add_attribute("optnone");
        }
        if is_guard(function) {
            guards.add(function, &size);
        } else if is_whole || pinned.contains(&function) || size.has_addresses {
            data.add(function, &size);
        } else if size.is_giant() {
            let mut alone = Part::new(Kind::Functions);
            alone.add(function, &size);
            parts.push(alone);
        } else {
            let is_driver = function.name().starts_with(symbols::DRIVER);
            let open = if is_driver { &mut drivers } else { &mut open };
            open.add(function, &size);
            open.is_quick |= is_driver;
            if open.weight >= full || ends_part(&function.name(), cut) {
                parts.push(std::mem::replace(open, Part::new(Kind::Functions)));
            }
        }
    }
    parts.extend([open, drivers].into_iter().filter(|part| !part.functions.is_empty()));
    parts.extend([guards, data]);
    parts
}

impl Part {
    fn new(kind: Kind) -> Part {
        Part { kind, functions: HashSet::new(), weight: 0, is_quick: false }
    }

    fn add(&mut self, function: Value, size: &Size) {
        self.functions.insert(function.name());
        self.weight += size.instructions;
        self.is_quick |= size.is_giant();
    }

    /// This part as a module of its own, from the bitcode of the whole.
    pub fn extract<'c>(
        &self,
        context: &'c Context,
        bitcode: &'c [u8],
        machine: &TargetMachine,
    ) -> Result<Module<'c>, Error> {
        let whole = ir::read(context, bitcode).map_err(Error::Link)?;
        self.leave_out(ir::Module::of(&whole));
        promote::run(&whole, machine, "elim-avail-extern")?;
        let part = context.create_module("part");
        // Bodies are read now; declarations come along where they are used.
        part.link_in_module(whole).map_err(|message| Error::Link(message.to_string()))?;
        if self.kind != Kind::Guards {
            for guard in ir::Module::of(&part).functions().into_iter().filter(|function| is_guard(*function)) {
                guard.set_linkage(LLVMLinkage::LLVMAvailableExternallyLinkage);
                guard.hide();
            }
        }
        Ok(part)
    }

    /// Marks what another part defines, to be declared only.
    fn leave_out(&self, whole: ir::Module) {
        for function in whole.functions().into_iter().filter(|function| !function.is_declaration()) {
            if self.functions.contains(&function.name()) {
                continue;
            }
            function.set_linkage(match is_guard(function) {
                true => LLVMLinkage::LLVMInternalLinkage,
                false => LLVMLinkage::LLVMAvailableExternallyLinkage,
            });
        }
        if self.kind == Kind::Data {
            return;
        }
        whole.drop_assembly();
        for alias in whole.aliases() {
            let ty = alias.value_type();
            let declared = match ty.kind() {
                LLVMTypeKind::LLVMFunctionTypeKind => whole.declare_unnamed(ty),
                _ => whole.add_global("", ty),
            };
            let name = alias.name();
            alias.set_name("");
            declared.set_name(&name);
            declared.hide();
            alias.replace_uses(declared);
            alias.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
        for global in whole.globals() {
            if global.name().starts_with("llvm.") {
                global.delete();
            } else if !global.is_declaration() {
                global.set_linkage(LLVMLinkage::LLVMAvailableExternallyLinkage);
            }
        }
    }
}

/// How large a function is.
struct Size {
    instructions: usize,
    blocks: usize,
    slots: usize,
    /// Whether there are jumps to addresses: those may be in the initial values of variables.
    has_addresses: bool,
}

impl Size {
    fn of(function: Value) -> Size {
        let mut size = Size { instructions: 0, blocks: 0, slots: 0, has_addresses: false };
        for block in function.blocks() {
            size.blocks += 1;
            for instruction in block.instructions() {
                size.instructions += 1;
                match instruction.opcode() {
                    LLVMOpcode::LLVMAlloca => size.slots += 1,
                    LLVMOpcode::LLVMIndirectBr => size.has_addresses = true,
                    _ => {}
                }
            }
        }
        size
    }

    fn is_giant(&self) -> bool {
        self.instructions > GIANT || self.blocks * self.slots > MOST_SLOT_BLOCKS
    }
}

/// Gives everything internal a name that no library has, and shows it to the whole program.
fn share(module: ir::Module) {
    let all = module.functions().into_iter().chain(module.globals()).chain(module.aliases());
    for value in all.filter(|value| value.is_local()) {
        if !is_guard(value) {
            value.set_name(&format!("{}{}", symbols::OWN, value.name()));
        }
        value.share();
    }
}

fn is_guard(value: Value) -> bool {
    value.is_function() && value.has_attribute("alwaysinline") && value.name().starts_with("covet.")
}

fn ends_part(name: &str, one_in: usize) -> bool {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash % one_in as u64 == 0
}
