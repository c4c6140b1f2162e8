//! A compiled program as the makers of C tests want it: the models of all units side by side.

use covet_compile::Program;
use covet_project::Compiled;
use covet_source::{Translation, Unit};
use covet_suite::ctest::{Replacement, Sources, StubText};

pub struct TestSources {
    translations: Vec<Translation>,
    units: Vec<Unit>,
    stubs: Vec<StubText>,
    replacements: Vec<Replacement>,
}

impl TestSources {
    pub fn of(compiled: &Compiled) -> TestSources {
        let program = &compiled.program;
        // The user's own flags: what we add for our build is of no use to others.
        let written = |unit: &Translation| {
            let is_same = |written: &&Translation| (&written.directory, &written.file) == (&unit.directory, &unit.file);
            compiled.project.units.iter().find(is_same).unwrap_or(unit).clone()
        };
        let units = program.units.iter();
        let (translations, units) = units.map(|unit| (written(&unit.translation), unit.model.clone())).unzip();
        let stub = |stub: &covet_compile::Stub| StubText {
            name: stub.name.clone(),
            text: stub.plain.clone(),
            only_for: (!stub.is_portable).then_some(stub.unit),
        };
        let stubs = program.stubs.iter().map(stub).collect();
        let replaced = program.replacements.functions.iter();
        let replacements = replaced.map(|replaced| replacement(program, replaced));
        let replacements = replacements.filter(|replacement| !replacement.wanted_by.is_empty()).collect();
        TestSources { translations, units, stubs, replacements }
    }

    pub fn as_sources<'a>(&'a self, compiled: &'a Compiled) -> Sources<'a> {
        Sources {
            types: &compiled.program.types,
            translations: &self.translations,
            units: &self.units,
            link_flags: &compiled.project.link_flags,
            stubs: &self.stubs,
            replacements: &self.replacements,
            preamble: covet_compile::STUB_PREAMBLE,
        }
    }
}

/// A function with a stub beside it, and the functions whose tests replace it.
fn replacement(program: &Program, replaced: &covet_compile::Replaced) -> Replacement {
    let wants = |function: &covet_source::Function| {
        function.has_body && program.replacements.wanted_by(function).contains(&replaced.number)
    };
    let of_unit = |(unit, functions): (usize, &Vec<covet_source::Function>)| {
        functions.iter().filter(|f| wants(f)).map(|f| (unit, f.name.clone())).collect::<Vec<_>>()
    };
    Replacement {
        name: replaced.name.clone(),
        unit: replaced.unit,
        stub: replaced.stub.clone(),
        stub_name: replaced.stub_name.clone(),
        wanted_by: program.units.iter().map(|unit| &unit.model.functions).enumerate().flat_map(of_unit).collect(),
    }
}
