//! The rewritten module → parts of which code is generated apart from each other.
//!
//! ```text
//! guards      @covet.add.i32, ...                     what slow copies call
//! groups      some functions; guards for inlining      as many of these as there are
//! the rest    all variables, tables, aliases; functions whose blocks have addresses; the drivers of small programs
//! ```
//!
//! What was internal to the module is now seen by all its parts, under names that no library has. Where the list of functions is cut depends on
//! their names and sizes near by, so that an edit elsewhere leaves a group as it was.

use crate::ir::{self, Block, LLVMOpcode, Value};
use covet_abi::symbols;
use std::collections::HashSet;

/// The parts of a program.
pub struct Plan {
    /// Functions whose calls are inlined, or kept where code is to be small.
    pub guards: Group,
    /// Groups of functions. All others stay with the variables.
    pub groups: Vec<Group>,
}

/// Functions of which code is generated together.
#[derive(Default)]
pub struct Group {
    pub functions: Vec<Value>,
    /// Instructions, about.
    pub weight: usize,
    /// Whether time must not be lost on good code: `-O1` takes twice the time of `-O0`, for code that is faster where it loops.
    pub is_quick: bool,
}

/// Instructions above which a function is giant. What a good register allocation costs grows faster than the function.
const GIANT: usize = 6_000;
/// Blocks times slots above which it is, too: making registers of slots takes time and phis in the order of that product.
const MOST_SLOT_BLOCKS: usize = 400_000;
/// Instructions below which a program is not worth parting.
const SMALL: usize = 20_000;
/// Instructions above which a program is large: then only functions that loop are worth good code.
const LARGE: usize = 100_000;
/// Instructions after which a group is full.
const FULL: usize = 16_384;
/// One in so many functions ends a group, whatever it is behind: what stands before an edit does not move what stands after it.
const CUT: usize = 32;

/// Makes everything of the module visible to its parts and says what those are.
pub fn plan(module: ir::Module) -> Plan {
    share(module);
    let pinned: HashSet<Value> = module.aliases().into_iter().map(|alias| alias.aliasee().base()).collect();
    let [mut guards, mut open] = [Group::default(), Group::default()];
    let mut quick = Group { is_quick: true, ..Group::default() };
    let mut groups = Vec::new();
    let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    let sizes: Vec<(Value, Size)> = defined.map(|function| (function, Size::of(function))).collect();
    let all: usize = sizes.iter().map(|(_, size)| size.instructions).sum();
    let is_small = all < SMALL && !sizes.iter().any(|(_, size)| size.is_giant());
    let is_whole = module.has_chosen_functions() || is_small;
    for (function, size) in sizes {
        if size.is_giant() {
            // Slots stay in memory, as in plain `-O0` code.
            function.add_attribute("noinline");
            function.add_attribute("optnone");
        }
        if is_guard(function) {
            guards.add(function, &size);
        } else if is_whole || pinned.contains(&function) || size.has_addresses {
            continue;
        } else if size.is_giant() {
            let mut alone = Group { is_quick: true, ..Group::default() };
            alone.add(function, &size);
            groups.push(alone);
        } else {
            let name = function.name();
            // Drivers run once in a run.
            let is_quick = name.starts_with(symbols::DRIVER) || all > LARGE && !loops(function);
            let open = if is_quick { &mut quick } else { &mut open };
            open.add(function, &size);
            if open.weight >= FULL || ends_group(&name) {
                let next = Group { is_quick, ..Group::default() };
                groups.push(std::mem::replace(open, next));
            }
        }
    }
    groups.extend([open, quick].into_iter().filter(|group| !group.functions.is_empty()));
    // The largest first: nobody waits for it in the end.
    groups.sort_by_key(|group| std::cmp::Reverse(group.weight));
    Plan { guards, groups }
}

impl Group {
    fn add(&mut self, function: Value, size: &Size) {
        self.functions.push(function);
        self.weight += size.instructions;
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

/// Whether control comes back to a block.
fn loops(function: Value) -> bool {
    let mut met: HashSet<Block> = HashSet::new();
    let mut under_way: HashSet<Block> = HashSet::new();
    let mut stack: Vec<(Block, Vec<Block>)> = Vec::new();
    let mut next = function.blocks().into_iter().next();
    loop {
        if let Some(block) = next.filter(|block| met.insert(*block)) {
            under_way.insert(block);
            stack.push((block, block.successors()));
        }
        let Some((block, left)) = stack.last_mut() else { return false };
        next = left.pop();
        match next {
            Some(again) if under_way.contains(&again) => return true,
            Some(_) => {}
            None => {
                under_way.remove(block);
                stack.pop();
            }
        }
    }
}

fn is_guard(value: Value) -> bool {
    value.is_function() && value.has_attribute("alwaysinline") && value.name().starts_with("covet.")
}

fn ends_group(name: &str) -> bool {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash % CUT as u64 == 0
}
