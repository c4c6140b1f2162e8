//! Functions that have a stub beside them begin with a look at their switch.
//!
//! ```text
//! @__covet_replaced_1_4 = constant [2 x ptr] [ptr @g, ptr @stub]                   ; from `compile`; goes away
//!
//! @__covet_switches = [5 x i8] zeroinitializer                                       ; the worker sets them, see `abi::stubs`
//! define i32 @g(i32 %x)
//! entry:                %on = load i8, ptr (@__covet_switches + 4)
//!                       br i1 (%on != 0), label %covet.stubbed, label %covet.body
//! covet.stubbed:        %r = call i32 @stub(i32 %x)
//!                       ret i32 %r
//! covet.body:           as before
//! ```

use crate::Error;
use crate::function::edges::rebuild;
use crate::function::split::move_into;
use crate::ir::{Emit, LLVMLinkage, LLVMOpcode, LLVMTypeKind, Module, Value};
use covet_abi::symbols::stub_number;

/// The block that calls the stub: the branch to it is no branch of the source.
pub const STUBBED: &str = "covet.stubbed";
/// The block with what the function begins with otherwise.
pub const BODY: &str = "covet.body";

/// A byte for each stub, by its number, under this name while passes move it around.
const SWITCHES: &str = "__covet_switches";

/// Takes the tables out of the module and does as they say. Returns how many switches there are.
pub fn replace(module: Module, emit: &Emit) -> Result<u32, Error> {
    let numbered = |global: Value| Some((stub_number(&global.name())?, global));
    let tables: Vec<(u32, Value)> = module.globals().into_iter().filter_map(numbered).collect();
    let count = tables.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
    if count == 0 {
        return Ok(0);
    }
    let zeros = emit.i8.array(u64::from(count)).null();
    let array = module.define_global(SWITCHES, zeros, LLVMLinkage::LLVMInternalLinkage);
    for (number, table) in tables {
        let entries = table.initializer().expect("the table says what is replaced by what");
        let [function, stub] = [0, 1].map(|index| entries.operand(index));
        if function.value_type() != stub.value_type() {
            return Err(Error::Link(format!("the stub of `{}` is called differently", function.name())));
        }
        begin_with_switch(function, stub, (array, number), emit);
        table.delete();
    }
    Ok(count)
}

/// The array of switches and their number, for the program's tables; null and 0 where no code looks at them.
pub fn switches(module: Module, emit: &Emit, count: u32) -> (Value, u32) {
    module.global(SWITCHES).map_or((emit.ptr.null(), 0), |array| (array, count))
}

fn begin_with_switch(function: Value, stub: Value, (switches, number): (Value, u32), emit: &Emit) {
    let Some(entry) = function.blocks().first().copied() else { return };
    let instructions = entry.instructions();
    // Objects of the stack stay in the entry block, where every pass looks for them.
    let first = instructions.iter().position(|i| i.opcode() != LLVMOpcode::LLVMAlloca).unwrap_or(0);
    let (stubbed, body) = (emit.append_block(function, STUBBED), emit.append_block(function, BODY));
    move_into(body, &instructions[first..], emit);
    for successor in body.successors() {
        for phi in successor.phis() {
            rebuild(phi, emit, |from| if from == entry { body } else { from });
        }
    }
    emit.at_end(entry);
    let switch = emit.element(emit.i8, switches, emit.i64.constant(u64::from(number)));
    let is_off = emit.is_zero(emit.load(emit.i8, switch));
    emit.branch(is_off, body, stubbed);
    emit.at_end(stubbed);
    let result = emit.call(stub, &function.parameters());
    // How arguments and result are passed is the same for the stub.
    result.pass_as(function);
    let is_void = result.ty().kind() == LLVMTypeKind::LLVMVoidTypeKind;
    emit.ret((!is_void).then_some(result));
}
