//! Emits the tables of `abi::sites` into the program, under [`symbols::PROGRAM`].

use crate::ir::{Emit, LLVMLinkage, LLVMOpcode, Module, Value, size};
use crate::module::numbering::Numbering;
use crate::module::replaced;
use covet_abi::sites::GlobalFlags;
use covet_abi::symbols;
use covet_sites::FunctionNumber;
use inkwell::targets::TargetData;
use std::collections::HashMap;

pub fn emit(module: Module, emit: &Emit, numbering: &mut Numbering, switches: u32, layout: &TargetData) {
    numbering.fix_counters(emit);
    let table = Tables { module, emit };
    let functions = table.functions(numbering);
    let globals = table.globals(numbering, layout);
    let externals = table.names(&numbering.externals);
    let (switches, switch_count) = replaced::switches(module, emit, switches);
    let count = |number: usize| emit.i64.constant(number as u64);
    let program = table.record(&[
        functions,
        count(numbering.functions.len()),
        globals,
        count(numbering.globals.len()),
        numbering.counters.array,
        count(numbering.counter_count() as usize),
        externals,
        count(numbering.externals.len()),
        numbering.vectors.as_ref().map_or(emit.ptr.null(), |vectors| vectors.array),
        count(numbering.vector_count() as usize),
        switches,
        count(switch_count as usize),
    ]);
    module.define_constant(symbols::PROGRAM, program, LLVMLinkage::LLVMExternalLinkage);
}

struct Tables<'e> {
    module: Module,
    emit: &'e Emit,
}

impl Tables<'_> {
    fn record(&self, fields: &[Value]) -> Value {
        self.emit.record(fields, false)
    }

    fn private(&self, name: &str, rows: &[Value]) -> Value {
        let Some(first) = rows.first() else { return self.emit.ptr.null() };
        self.module.define_constant(name, first.ty().constants(rows), LLVMLinkage::LLVMInternalLinkage)
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
        let is_local = |global: &Value| global.is_thread_local();
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
        table.set_read_only(false);
        let function = self.module.add_function(symbols::PLACE_THREAD_LOCALS, &[], self.emit.void);
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
                self.module.define_constant("covet.name", self.emit.text(name), LLVMLinkage::LLVMPrivateLinkage)
            })
            .collect();
        self.private("__covet_external_names", &rows)
    }
}

/// The last function that a driver calls is the one it drives.
fn drivers(numbering: &Numbering) -> HashMap<FunctionNumber, Value> {
    let mut found = HashMap::new();
    for driver in numbering.values.iter().filter(|function| function.name().starts_with(symbols::DRIVER)) {
        for instruction in driver.instructions() {
            if instruction.opcode() != LLVMOpcode::LLVMCall {
                continue;
            }
            let callee = instruction.callee();
            if let Some(number) = numbering.number_of.get(&callee) {
                found.insert(*number, *driver);
            }
        }
    }
    found
}
