//! Parses snippets of C for the tests of this crate.

use crate::{Blueprint, Limits, Sizes, UnitEnvironment};
use covet_input::Variables;
use covet_source::{Parser, PointeeTypes, Toolchain, Translation, Types, Unit};

pub fn parse(source: &str) -> (Types, Unit) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), source).unwrap();
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let mut types = Types::default();
    let translation = Translation { directory: folder.path().into(), file: "unit.c".into(), flags: vec![] };
    let unit = parser.parse(&translation, &mut types).unwrap();
    (types, unit)
}

/// Nothing but types.
pub fn environment(types: &Types) -> UnitEnvironment<'_> {
    let (limits, sizes) = (Limits::default(), Sizes::default());
    UnitEnvironment { types, callables: vec![], pointee_types: PointeeTypes::default(), limits, sizes }
}

pub fn names(blueprint: &Blueprint, variables: &Variables) -> Vec<String> {
    blueprint.variables().iter().map(|id| variables.get(*id).name.clone()).collect()
}
