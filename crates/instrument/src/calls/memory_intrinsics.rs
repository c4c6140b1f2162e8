//! `memcpy`, `memmove` and `memset`: the runtime moves bytes and shadows together.
//!
//! ```text
//!   call void @llvm.memcpy(ptr %to, ptr %from, i64 16, i1 false)    ; a structure copy
//! ; becomes, for a small constant length
//!   any presence in the two ranges?  no: the plain memcpy, inlined by the code generator
//!                                    yes: call @__covet_memory_copy
//! ```

use crate::function::Rewriter;
use crate::ir::{LLVMOpcode, Value};
use crate::tracking::guards::Body;

/// Up to this many bytes the presence map is looked at inline.
const SMALL: u64 = 64;

impl Rewriter<'_> {
    pub fn copy_memory(&mut self, call: Value) {
        let plain = call.callee();
        let [to, from, length, volatile] = [0, 1, 2, 3].map(|i| call.operand(i));
        let shadows = [to, from, length].map(|operand| self.shadow_of_scalar(operand));
        let small = length.as_constant().filter(|bytes| *bytes <= SMALL);
        let site = self.check_site(call);
        let name = match small {
            Some(bytes) => format!("copy.{}.{bytes}", plain.name()),
            None => format!("copy.{}", length.ty().integer_width().unwrap_or(64)),
        };
        let mut types = vec![self.emit.i32; 3];
        types.extend([self.emit.ptr, self.emit.ptr, length.ty(), self.emit.i32]);
        let result = self.emit.i32;
        let guard = self.guards.function(&name, &types, result, |body| {
            let [st, sf, sl, to, from, length, site] = body.parameters[..] else { unreachable!("seven parameters") };
            let (target, source) = (body.address(to), body.address(from));
            let hook = |body: &Body| {
                let length = body.widened(length);
                body.emit.call(body.hooks.memory_copy, &[target, source, length, st, sf, sl, site])
            };
            match small {
                None => {
                    let done = hook(body);
                    body.emit.ret(Some(done));
                }
                Some(bytes) => {
                    let any = [st, sf, body.presence_of(target, bytes), body.presence_of(source, bytes)]
                        .into_iter()
                        .reduce(|a, b| body.emit.or(a, b))
                        .unwrap_or(st);
                    body.either(any, hook, |body| {
                        body.emit.call(plain, &[to, from, length, volatile]);
                    });
                }
            }
        });
        let [st, sf, sl] = shadows;
        self.emit.call(guard, &[st, sf, sl, to, from, length, self.site32(site)]);
        call.erase();
    }

    pub fn fill_memory(&mut self, call: Value) {
        let plain = call.callee();
        let [to, byte, length, volatile] = [0, 1, 2, 3].map(|i| call.operand(i));
        let shadows = [to, byte, length].map(|operand| self.shadow_of_scalar(operand));
        let small = length.as_constant().filter(|bytes| *bytes <= SMALL);
        let site = self.check_site(call);
        let name = match small {
            Some(bytes) => format!("fill.{}.{bytes}", plain.name()),
            None => format!("fill.{}", length.ty().integer_width().unwrap_or(64)),
        };
        let mut types = vec![self.emit.i32; 3];
        types.extend([self.emit.ptr, self.emit.i8, length.ty(), self.emit.i32]);
        let result = self.emit.i32;
        let guard = self.guards.function(&name, &types, result, |body| {
            let [st, sb, sl, to, byte, length, site] = body.parameters[..] else { unreachable!("seven parameters") };
            let target = body.address(to);
            let hook = |body: &Body| {
                let byte = body.emit.cast(LLVMOpcode::LLVMZExt, byte, body.emit.i64);
                body.emit.call(body.hooks.memory_fill, &[target, byte, body.widened(length), st, sb, sl, site])
            };
            match small {
                None => {
                    let done = hook(body);
                    body.emit.ret(Some(done));
                }
                Some(bytes) => {
                    let any = body.emit.or(body.emit.or(st, sb), body.presence_of(target, bytes));
                    body.either(any, hook, |body| {
                        body.emit.call(plain, &[to, byte, length, volatile]);
                    });
                }
            }
        });
        let [st, sb, sl] = shadows;
        self.emit.call(guard, &[st, sb, sl, to, byte, length, self.site32(site)]);
        call.erase();
    }
}

impl Body<'_> {
    fn address(&self, pointer: Value) -> Value {
        self.emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, self.emit.i64)
    }

    fn widened(&self, length: Value) -> Value {
        if length.ty() == self.emit.i64 { length } else { self.emit.cast(LLVMOpcode::LLVMZExt, length, self.emit.i64) }
    }

    /// Presence of a range of constant length, whatever its alignment.
    pub fn presence_of(&self, address: Value, bytes: u64) -> Value {
        let emit = self.emit;
        if bytes == 0 {
            return emit.i32.null();
        }
        let mut offsets: Vec<u64> = (0..bytes).step_by(8).collect();
        offsets.push(bytes - 1);
        offsets
            .into_iter()
            .map(|offset| self.presence(emit.add(address, emit.i64.constant(offset)), 1, false))
            .reduce(|a, b| emit.or(a, b))
            .unwrap_or_else(|| emit.i32.null())
    }

    /// `slow` if `any` is not 0, else `fast`. Ends the function.
    fn either(&self, any: Value, slow: impl FnOnce(&Self) -> Value, fast: impl FnOnce(&Self)) {
        let (quick, rare) = (self.block("fast"), self.block("slow"));
        self.emit.likely(self.emit.branch(self.emit.is_zero(any), quick, rare));
        self.emit.at_end(quick);
        fast(self);
        self.emit.ret(Some(self.emit.i32.null()));
        self.emit.at_end(rare);
        let done = slow(self);
        self.emit.ret(Some(done));
    }
}
