//! Functions that the user wants replaced begin with a look at their switch.
//!
//! ```text
//! @__covet_replaced_1_0 = constant [3 x ptr] [ptr @g, ptr @stub, ptr @switch]      ; from `compile`; goes away
//!
//! define i32 @g(i32 %x)
//! entry:                %on = load i8, ptr @switch
//!                       br i1 (%on != 0), label %covet.stubbed, label %covet.body
//! covet.stubbed:        %r = call i32 @stub(i32 %x)
//!                       ret i32 %r
//! covet.body:           as before
//! ```

use crate::Error;
use crate::function::edges::rebuild;
use crate::function::split::move_into;
use crate::ir::{Emit, LLVMOpcode, LLVMTypeKind, Module, Value};
use covet_abi::symbols::REPLACED;

/// The block that calls the stub: the branch to it is no branch of the source.
pub const STUBBED: &str = "covet.stubbed";
/// The block with what the function begins with otherwise.
pub const BODY: &str = "covet.body";

/// Takes the tables out of the module and does as they say.
pub fn replace(module: Module, emit: &Emit) -> Result<(), Error> {
    for table in module.globals().into_iter().filter(|global| global.name().starts_with(REPLACED)) {
        let entries = table.initializer().expect("the table says what is replaced by what");
        let [function, stub, switch] = [0, 1, 2].map(|index| entries.operand(index));
        if function.value_type() != stub.value_type() {
            return Err(Error::Link(format!("the stub of `{}` is called differently", function.name())));
        }
        begin_with_switch(function, stub, switch, emit);
        table.delete();
    }
    Ok(())
}

fn begin_with_switch(function: Value, stub: Value, switch: Value, emit: &Emit) {
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
    let is_off = emit.is_zero(emit.load(emit.i8, switch));
    emit.branch(is_off, body, stubbed);
    emit.at_end(stubbed);
    let result = emit.call(stub, &function.parameters());
    // How arguments and result are passed is the same for the stub.
    result.pass_as(function);
    let is_void = result.ty().kind() == LLVMTypeKind::LLVMVoidTypeKind;
    emit.ret((!is_void).then_some(result));
}
