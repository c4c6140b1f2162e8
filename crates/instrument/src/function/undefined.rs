//! Variables that nobody has written, on request.
//!
//! ```text
//! covet.entry:   call @__covet_undefine(%object, 4)    ; for every object of the frame
//!   call void @print(i32 noundef %v)                   ; preceded by call @covet.used(i32 %sv): a use
//!   call i32 @read(i32 %f, ptr %b, ...)                ; no body: preceded by call @__covet_handed_over(%b)
//!   ret                                                ; preceded by call @__covet_forget(%frame, 48)
//! ```
//!
//! Branches, addresses and sizes report what they depend on anyway. Values of structures go through registers whole, unused members
//! and all; clang leaves `noundef` away there.

use crate::function::Rewriter;
use crate::ir::{LLVMOpcode, Value};

const NO_UNDEF: &str = "noundef";

impl Rewriter<'_> {
    fn seeks_undefined(&self) -> bool {
        self.numbering.seeks_undefined && self.is_users()
    }

    /// The objects of the frame have come into being.
    pub fn undefine_frame(&self) {
        let Some(frame) = self.frame.as_ref().filter(|_| self.seeks_undefined()) else { return };
        for (object, bytes) in &frame.objects {
            self.undefine(*object, self.emit.i64.constant(*bytes));
        }
    }

    pub fn undefine(&self, object: Value, bytes: Value) {
        if self.seeks_undefined() {
            let address = self.emit.cast(LLVMOpcode::LLVMPtrToInt, object, self.emit.i64);
            self.emit.call(self.guards.hooks.undefine, &[address, bytes]);
        }
    }

    /// The frame is about to end: what comes to lie there is not its business.
    pub fn forget_frame(&self) {
        let Some(frame) = self.frame.as_ref().filter(|_| self.seeks_undefined()) else { return };
        let (memory, bytes) = frame.extent();
        let address = self.emit.cast(LLVMOpcode::LLVMPtrToInt, memory, self.emit.i64);
        self.emit.call(self.guards.hooks.forget, &[address, self.emit.i64.constant(bytes)]);
    }

    /// The arguments of a call are uses; what they point at may be written by a function without a body.
    pub fn hand_over(&mut self, call: Value, is_external: bool) {
        if !self.seeks_undefined() {
            return;
        }
        self.emit.before(call);
        for (index, argument) in call.arguments().into_iter().enumerate() {
            if call.argument_has_attribute(index, NO_UNDEF) {
                self.use_value(argument);
            }
            if is_external && argument.ty() == self.emit.ptr {
                let address = self.emit.cast(LLVMOpcode::LLVMPtrToInt, argument, self.emit.i64);
                self.emit.call(self.guards.hooks.handed_over, &[address]);
            }
        }
    }

    /// What a function returns is a use, if it is a number or an address and no structure in its guise.
    pub fn hand_back(&mut self, value: Value) {
        let is_load = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMLoad;
        let is_whole = !is_load || self.numbering.grown.get(&value.operand(0)) == Some(&value.ty());
        if self.seeks_undefined() && is_whole && self.leaves(value).len() == 1 {
            self.use_value(value);
        }
    }

    fn use_value(&mut self, value: Value) {
        let shadow = self.shadow_of_scalar(value);
        if self.is_concrete(shadow) {
            return;
        }
        let guard =
            self.guards.on_shadows("used", 1, &[], |body| body.emit.call(body.hooks.used, &[body.parameters[0]]));
        self.emit.call(guard, &[shadow]);
    }
}
