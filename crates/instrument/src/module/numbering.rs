//! Gives functions, sites, counters, globals and externals their numbers: the site map while it grows.

use crate::ir::{Emit, LLVMLinkage, LLVMOpcode, Location, Module, Value};
use crate::module::bumps::Bumps;
use crate::module::combine;
use crate::module::red_zones::Grown;
use covet_abi::symbols::USER_MAIN;
use covet_settings::Signature;
use covet_sites::{
    Counter, DecisionInfo, DecisionLeftOut, FunctionInfo, FunctionNumber, GlobalInfo, SiteInfo, SiteKind, SiteMap,
    SiteNumber, VectorNumber,
};
use std::collections::{HashMap, HashSet};
use std::path::Path;

pub struct Numbering {
    pub module: Module,
    places: Places,
    pub functions: Vec<FunctionInfo>,
    pub values: Vec<Value>,
    pub number_of: HashMap<Value, FunctionNumber>,
    pub sites: Vec<SiteInfo>,
    pub globals: Vec<(Value, GlobalInfo)>,
    pub externals: Vec<String>,
    external_numbers: HashMap<String, u32>,
    checks: HashMap<(FunctionNumber, u32, u32), SiteNumber>,
    next_counter: Counter,
    pub counters: Bumps,
    pub decisions: Vec<DecisionInfo>,
    pub decisions_left_out: Vec<DecisionLeftOut>,
    /// Condition vectors, if they are to be counted.
    pub vectors: Option<Bumps>,
    /// Objects with red zones, and their types without.
    pub grown: Grown,
    /// Functions that the user declares to be pure.
    pub pure: Vec<Signature>,
    /// Whether variables that nobody has written are to be told.
    pub seeks_undefined: bool,
}

/// Where global variables are defined, by name.
pub type Places = HashMap<String, Location>;

/// Asked before what is known of them is stripped.
pub fn places(module: Module) -> Places {
    module.globals().into_iter().map(|global| (global.name(), global.location())).collect()
}

/// The two numbers of a new site.
pub struct NewSite {
    pub number: SiteNumber,
    pub counter: Counter,
}

impl Numbering {
    /// Numbers the definitions of a linked module.
    pub fn new(module: Module, emit: &Emit, grown: Grown, places: Places) -> Numbering {
        let counters = Bumps::new(module, emit, "__covet_counters");
        let ours: HashSet<String> =
            module.functions().into_iter().filter(|function| combine::is_ours(*function)).map(Value::name).collect();
        let is_model = |name: &str| ours.contains(name) || combine::is_our_name(name);
        let mut numbering = Numbering {
            module,
            places,
            functions: Vec::new(),
            values: Vec::new(),
            number_of: HashMap::new(),
            sites: Vec::new(),
            globals: Vec::new(),
            externals: Vec::new(),
            external_numbers: HashMap::new(),
            checks: HashMap::new(),
            next_counter: Counter(0),
            counters,
            decisions: Vec::new(),
            decisions_left_out: Vec::new(),
            vectors: None,
            grown,
            pure: Vec::new(),
            seeks_undefined: false,
        };
        numbering.number_globals(module, &is_model);
        numbering.number_functions(module, &is_model);
        numbering
    }

    fn number_functions(&mut self, module: Module, is_model: &impl Fn(&str) -> bool) {
        for function in module.functions() {
            if function.is_declaration() || function == self.counters.function {
                continue;
            }
            let number = FunctionNumber::at(self.functions.len());
            let symbol = function.name();
            let location = function.location();
            self.number_of.insert(function, number);
            self.values.push(function);
            self.functions.push(FunctionInfo {
                number,
                name: source_name(&symbol, function),
                is_model: is_model(&symbol),
                symbol,
                file: location.file,
                unit: function.unit().unwrap_or_default(),
                line: location.line,
                is_static: combine::is_static(function),
                has_driver: false,
                counter_start: Counter(0),
                counter_len: 0,
                blocks: Vec::new(),
            });
        }
    }

    fn number_globals(&mut self, module: Module, is_model: &impl Fn(&str) -> bool) {
        for global in module.globals() {
            let name = global.name();
            if global == self.counters.array || global.is_declaration() || name.starts_with("llvm.") {
                continue;
            }
            let Location { file, line, .. } = self.places.get(&name).cloned().unwrap_or_default();
            let info = GlobalInfo {
                number: self.globals.len() as u32,
                is_model: is_model(&name),
                name,
                file,
                line,
                size: 0,
                is_constant: global.is_read_only(),
            };
            self.globals.push((global, info));
        }
    }

    /// Opens the counters of a function with the one of its entry.
    pub fn enter(&mut self, function: FunctionNumber) {
        self.functions[function.index()].counter_start = self.next_counter;
        self.next_counter = self.next_counter + 1;
    }

    /// Closes the counters of a function.
    pub fn leave(&mut self, function: FunctionNumber) {
        let info = &mut self.functions[function.index()];
        info.counter_len = self.next_counter.0 - info.counter_start.0;
    }

    pub fn site(
        &mut self,
        function: FunctionNumber,
        kind: SiteKind,
        at: Value,
        outcomes: u32,
        cases: Vec<u64>,
        block: u32,
    ) -> NewSite {
        let location = at.location();
        let number = SiteNumber::at(self.sites.len());
        let counter = self.next_counter;
        self.next_counter = counter + outcomes;
        self.sites.push(SiteInfo {
            number,
            function,
            kind,
            file: location.file,
            line: location.line,
            column: location.column,
            counter,
            outcomes,
            cases,
            block,
        });
        NewSite { number, counter }
    }

    /// The site of a check or memory access: one per source position.
    pub fn check(&mut self, function: FunctionNumber, at: Value) -> SiteNumber {
        let location = at.location();
        let key = (function, location.line, location.column);
        if let Some(known) = self.checks.get(&key) {
            return *known;
        }
        let number = self.site(function, SiteKind::Check, at, 0, Vec::new(), 0).number;
        self.checks.insert(key, number);
        number
    }

    pub fn external(&mut self, name: &str) -> u32 {
        if let Some(known) = self.external_numbers.get(name) {
            return *known;
        }
        let number = self.externals.len() as u32;
        self.externals.push(name.to_owned());
        self.external_numbers.insert(name.to_owned(), number);
        number
    }

    /// `counters[counter] += 1`
    pub fn bump(&self, emit: &Emit, counter: Counter) -> Value {
        self.counters.bump(emit, emit.i64.constant(u64::from(counter.0)))
    }

    /// `counters[first + outcome] += 1` for an outcome of `i1`.
    pub fn bump_outcome(&self, emit: &Emit, first: Counter, outcome: Value) -> Value {
        let outcome = emit.cast(LLVMOpcode::LLVMZExt, outcome, emit.i64);
        let index = emit.add(outcome, emit.i64.constant(u64::from(first.0)));
        self.counters.bump(emit, index)
    }

    /// Whether a call of this function bumps a counter.
    pub fn is_bump(&self, callee: Value) -> bool {
        callee == self.counters.function
    }

    /// From now on condition vectors are counted.
    pub fn count_vectors(&mut self, emit: &Emit) {
        self.vectors = Some(Bumps::new(self.module, emit, "__covet_vectors"));
    }

    /// Gives the vectors of all decisions their numbers, if they are counted.
    pub fn number_vectors(&mut self) {
        let mut next = 0;
        for decision in self.decisions.iter_mut().filter(|_| self.vectors.is_some()) {
            decision.vectors = Some(VectorNumber(next));
            next += decision.conditions.vector_count() as u32;
        }
    }

    pub fn vector_count(&self) -> u32 {
        let counted = self.decisions.iter().filter(|decision| decision.vectors.is_some());
        counted.map(|decision| decision.conditions.vector_count() as u32).sum()
    }

    /// Puts the real arrays in place.
    pub fn fix_counters(&mut self, emit: &Emit) {
        let vectors = self.vector_count();
        self.counters.fix(self.module, emit, self.next_counter.0);
        if let Some(bumps) = &mut self.vectors {
            bumps.fix(self.module, emit, vectors);
        }
    }

    pub fn counter_count(&self) -> u32 {
        self.next_counter.0
    }

    pub fn into_map(self, root: &Path) -> SiteMap {
        let vectors = self.vector_count();
        SiteMap {
            root: root.to_string_lossy().into_owned(),
            functions: self.functions,
            sites: self.sites,
            globals: self.globals.into_iter().map(|(_, info)| info).collect(),
            externals: self.externals,
            counters: self.next_counter.0,
            vectors,
            decisions: self.decisions,
            decisions_left_out: self.decisions_left_out,
        }
    }
}

/// The linker renames the second static `f` to `f.12`: the name in the source has no such tail.
fn source_name(symbol: &str, function: Value) -> String {
    if symbol == USER_MAIN {
        return "main".to_owned();
    }
    let internal = function.linkage() == LLVMLinkage::LLVMInternalLinkage;
    match symbol.rsplit_once('.') {
        Some((name, tail)) if internal && !name.is_empty() && tail.bytes().all(|byte| byte.is_ascii_digit()) => {
            name.to_owned()
        }
        _ => symbol.to_owned(),
    }
}
