//! Emits the tables of `abi::sites` into the program, under [`symbols::PROGRAM`].

use crate::ir::{Emit, Type, Value, c_string};
use crate::numbering::Numbering;
use crate::shadow::size;
use covet_abi::sites::GlobalFlags;
use covet_abi::symbols;
use covet_sites::FunctionNumber;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};
use inkwell::targets::TargetData;
use std::collections::HashMap;

pub fn emit(module: LLVMModuleRef, emit: &Emit, numbering: &mut Numbering, layout: &TargetData) {
    numbering.fix_counters(module, emit);
    let table = Tables { module, emit };
    let functions = table.functions(numbering);
    let globals = table.globals(numbering, layout);
    let externals = table.names(&numbering.externals);
    let count = |number: usize| emit.i64.constant(number as u64);
    let program = table.record(&[
        functions,
        count(numbering.functions.len()),
        globals,
        count(numbering.globals.len()),
        numbering.counters,
        count(numbering.counter_count() as usize),
        externals,
        count(numbering.externals.len()),
    ]);
    table.global(symbols::PROGRAM, program, LLVMLinkage::LLVMExternalLinkage);
}

struct Tables<'e> {
    module: LLVMModuleRef,
    emit: &'e Emit,
}

impl Tables<'_> {
    fn record(&self, fields: &[Value]) -> Value {
        let mut fields: Vec<_> = fields.iter().map(|field| field.0).collect();
        Value(unsafe { LLVMConstStructInContext(self.emit.context, fields.as_mut_ptr(), fields.len() as u32, 0) })
    }

    fn array(&self, element: Type, values: &[Value]) -> Value {
        let mut values: Vec<_> = values.iter().map(|value| value.0).collect();
        Value(unsafe { LLVMConstArray2(element.0, values.as_mut_ptr(), values.len() as u64) })
    }

    fn global(&self, name: &str, content: Value, linkage: LLVMLinkage) -> Value {
        unsafe {
            let global = LLVMAddGlobal(self.module, content.ty().0, c_string(name).as_ptr());
            LLVMSetInitializer(global, content.0);
            LLVMSetGlobalConstant(global, 1);
            LLVMSetLinkage(global, linkage);
            Value(global)
        }
    }

    fn private(&self, name: &str, rows: &[Value]) -> Value {
        match rows.first() {
            Some(first) => self.global(name, self.array(first.ty(), rows), LLVMLinkage::LLVMInternalLinkage),
            None => self.emit.ptr.null(),
        }
    }

    fn functions(&self, numbering: &mut Numbering) -> Value {
        let drivers = drivers(numbering);
        let rows: Vec<Value> = (0..numbering.functions.len())
            .map(|number| {
                let driver = drivers.get(&FunctionNumber::at(number)).copied();
                let info = &mut numbering.functions[number];
                info.has_driver = driver.is_some();
                self.record(&[
                    numbering.values[number],
                    driver.unwrap_or_else(|| self.emit.ptr.null()),
                    self.emit.i32.constant(u64::from(info.counter_start.0)),
                    self.emit.i32.constant(u64::from(info.counter_len)),
                ])
            })
            .collect();
        self.private("__covet_functions", &rows)
    }

    fn globals(&self, numbering: &mut Numbering, layout: &TargetData) -> Value {
        let is_local = |global: &Value| unsafe { LLVMIsThreadLocal(global.0) != 0 };
        let grown = &numbering.grown;
        let rows: Vec<Value> = numbering
            .globals
            .iter_mut()
            .map(|(global, info)| {
                let own = grown.get(global).copied();
                info.size = size(own.unwrap_or_else(|| global.value_type()), layout);
                let is_local = is_local(global);
                let flags = GlobalFlags::default()
                    .with(GlobalFlags::CONSTANT, info.is_constant)
                    .with(GlobalFlags::MODEL, info.is_model)
                    .with(GlobalFlags::THREAD_LOCAL, is_local)
                    .with(GlobalFlags::RED_ZONE, own.is_some());
                let address = if is_local { self.emit.ptr.null() } else { *global };
                self.record(&[address, self.emit.i64.constant(info.size), self.emit.i64.constant(flags.0)])
            })
            .collect();
        let table = self.private("__covet_globals", &rows);
        let locals = numbering.globals.iter().enumerate().filter(|(_, (global, _))| is_local(global));
        let locals: Vec<(u64, Value)> = locals.map(|(row, (global, _))| (row as u64, *global)).collect();
        if let (Some(first), false) = (rows.first(), locals.is_empty()) {
            self.place_thread_locals(table, size(first.ty(), layout), &locals);
        }
        table
    }

    /// `void __covet_place_thread_locals(void)`: only code can tell where a thread has its variables.
    fn place_thread_locals(&self, table: Value, row_size: u64, locals: &[(u64, Value)]) {
        let function = unsafe {
            LLVMSetGlobalConstant(table.0, 0);
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(self.emit.context), std::ptr::null_mut(), 0, 0);
            Value(LLVMAddFunction(self.module, c_string(symbols::PLACE_THREAD_LOCALS).as_ptr(), ty))
        };
        self.emit.at_end(self.emit.append_block(function, "entry"));
        for (row, global) in locals {
            let place = self.emit.offset(table, self.emit.i64.constant(row * row_size));
            self.emit.store(*global, place);
        }
        self.emit.ret(None);
    }

    fn names(&self, names: &[String]) -> Value {
        let rows: Vec<Value> = names
            .iter()
            .map(|name| {
                let text = c_string(name);
                let bytes = text.as_bytes();
                let data =
                    unsafe { LLVMConstStringInContext2(self.emit.context, bytes.as_ptr().cast(), bytes.len(), 0) };
                self.global("covet.name", Value(data), LLVMLinkage::LLVMPrivateLinkage)
            })
            .collect();
        self.private("__covet_external_names", &rows)
    }
}

/// The last function that a driver calls is the one it drives.
fn drivers(numbering: &Numbering) -> HashMap<FunctionNumber, Value> {
    let mut found = HashMap::new();
    for driver in numbering.values.iter().filter(|function| function.name().starts_with(symbols::DRIVER)) {
        for instruction in driver.blocks().into_iter().flat_map(|block| block.instructions()) {
            if instruction.opcode() != LLVMOpcode::LLVMCall {
                continue;
            }
            let callee = instruction.operand(instruction.operand_count() - 1);
            if let Some(number) = numbering.number_of.get(&callee) {
                found.insert(*number, *driver);
            }
        }
    }
    found
}
