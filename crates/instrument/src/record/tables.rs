//! What the recording runtime is told of a unit: its functions and variables, as `struct covet_function`, `covet_global` and `covet_unit` of
//! `crates/profile/c/record.c` have it.

use super::hooks::Frame;
use crate::ir::{Emit, LLVMLinkage, LLVMOpcode, Module, Value, size};
use inkwell::targets::TargetData;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Variables that are kept with a state of a function.
const MOST_GLOBALS: usize = 64;

/// What the runtime is told of one function: a variable of the unit.
#[derive(Clone, Copy)]
pub struct About(pub Value);

pub struct Tables<'e> {
    module: Module,
    emit: &'e Emit,
    layout: &'e TargetData,
    unit: Value,
    /// Rows of variables, and where each is among the entries.
    rows: Vec<Value>,
    entries: Value,
    places: HashMap<Value, u64>,
    abouts: Vec<Value>,
    /// What each function of the unit names, itself and through others.
    named: HashMap<Value, BTreeSet<u64>>,
}

impl<'e> Tables<'e> {
    pub fn new(module: Module, emit: &'e Emit, layout: &'e TargetData) -> Tables<'e> {
        let (number, ptr) = (emit.i64.constant(0), emit.ptr.null());
        // Their content comes when all of it is known.
        let unit = emit.record(&[ptr, number, ptr, number, ptr, number], false);
        let unit = module.define_global("covet.unit", unit, LLVMLinkage::LLVMInternalLinkage);
        let (rows, places, abouts, named) = (Vec::new(), HashMap::new(), Vec::new(), HashMap::new());
        Tables { module, emit, layout, unit, rows, entries: emit.ptr.null(), places, abouts, named }
    }

    /// Numbers the variables that the unit defines, and finds out who names them.
    pub fn globals(&mut self) {
        for global in self.module.globals() {
            let name = global.name();
            if global.is_declaration()
                || global.is_thread_local()
                || name.starts_with("llvm.")
                || name.starts_with("covet.")
            {
                continue;
            }
            // Texts and other constants have no name that anybody would know.
            let known = if global.is_read_only() { "" } else { &name };
            let (bytes, known) = (self.number(size(global.value_type(), self.layout)), self.text(known));
            self.places.insert(global, self.rows.len() as u64);
            self.rows.push(self.emit.record(&[global, bytes, known, self.number(0)], false));
        }
        if let Some(first) = self.rows.first() {
            let content = first.ty().constants(&self.rows);
            self.entries = self.module.define_global("covet.globals", content, LLVMLinkage::LLVMInternalLinkage);
        }
        self.find_names();
    }

    /// What functions name, then what those name that they call, until nothing is new.
    fn find_names(&mut self) {
        let functions: Vec<Value> = self.module.functions().into_iter().filter(|it| !it.is_declaration()).collect();
        let mut calls: Vec<(Value, HashSet<Value>)> = Vec::new();
        for function in functions {
            let mut called = HashSet::new();
            let named = self.named.entry(function).or_default();
            for instruction in function.instructions() {
                for operand in (0..instruction.operand_count()).map(|at| instruction.operand(at).base()) {
                    if operand.is_global_variable() && !operand.is_read_only() {
                        named.extend(self.places.get(&operand));
                    } else if operand.is_function() && instruction.is(LLVMOpcode::LLVMCall) && !operand.is_declaration()
                    {
                        called.insert(operand);
                    }
                }
            }
            calls.push((function, called));
        }
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (function, called) in &calls {
                let mut all = self.named[function].clone();
                let before = all.len();
                // A set is joined to a set: the order does not matter.
                #[expect(clippy::iter_over_hash_type, reason = "a union has no order")]
                for callee in called {
                    all.extend(self.named.get(callee).into_iter().flatten());
                }
                if all.len() > before && before < MOST_GLOBALS {
                    is_new = true;
                    self.named.insert(*function, all);
                }
            }
        }
    }

    pub fn about(&mut self, function: Value, frame: &Frame) -> About {
        let location = function.location();
        let compiled = function.unit().unwrap_or_default();
        let is_static = function.linkage() == LLVMLinkage::LLVMInternalLinkage;
        let sizes: Vec<Value> = frame.locals.iter().map(|(_, bytes)| self.number(*bytes)).collect();
        let row_type = self.rows.first().map(|row| row.ty());
        let named: Vec<u64> = self.named.get(&function).into_iter().flatten().copied().take(MOST_GLOBALS).collect();
        let entry =
            |at: &u64| row_type.map(|ty| self.emit.constant_element(ty, self.entries, self.rows.len() as u64, *at));
        let globals: Vec<Value> = named.iter().filter_map(entry).collect();
        let kinds = self.data("covet.kinds", self.emit.bytes(&frame.kinds));
        let fields = [
            self.number(0),
            self.number(0),
            self.unit,
            function,
            self.text(&function.name()),
            self.text(&location.file),
            self.text(&compiled),
            kinds,
            self.list(&sizes),
            self.list(&globals),
            self.number(u64::from(is_static) + 2 * u64::from(function.has_attribute("alwaysinline"))),
            self.number(frame.kinds.len() as u64),
            self.number(sizes.len() as u64),
            self.number(globals.len() as u64),
        ];
        let content = self.emit.record(&fields, false);
        let about = self.module.define_global("covet.function", content, LLVMLinkage::LLVMInternalLinkage);
        self.abouts.push(about);
        About(about)
    }

    /// Tells the unit what it has.
    pub fn finish(&self, functions: &[Value]) {
        debug_assert_eq!(functions.len(), self.abouts.len());
        let all = self.list(&self.abouts);
        let counts = [self.abouts.len(), self.rows.len()].map(|count| self.number(count as u64));
        let fields = [self.emit.ptr.null(), self.number(0), all, counts[0], self.entries, counts[1]];
        self.unit.set_initializer(self.emit.record(&fields, false));
    }

    fn number(&self, number: u64) -> Value {
        self.emit.i64.constant(number)
    }

    fn data(&self, name: &str, content: Value) -> Value {
        self.module.define_constant(name, content, LLVMLinkage::LLVMPrivateLinkage)
    }

    fn text(&self, text: &str) -> Value {
        let plain: String = text.chars().filter(|letter| *letter != '\0').collect();
        self.data("covet.text", self.emit.text(&plain))
    }

    fn list(&self, rows: &[Value]) -> Value {
        match rows.first() {
            Some(first) => self.data("covet.list", first.ty().constants(rows)),
            None => self.emit.ptr.null(),
        }
    }
}
