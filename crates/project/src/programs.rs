//! Units of several programs → those of one: of the files that have a `main`, all but one are left out.

use crate::Failure;
use covet_compile::Project;
use covet_source::{Parser, Toolchain, Translation, Types};
use std::path::Path;

/// Leaves out the files that have another `main` than the one in `wanted`.
pub fn choose(project: &mut Project, wanted: &Path, toolchain: &Toolchain) -> Result<(), Failure> {
    let parser = Parser::load(toolchain).map_err(Failure::machine)?;
    let has_main = |unit: &Translation| {
        let text = std::fs::read(unit.directory.join(&unit.file)).unwrap_or_default();
        // Reading a unit takes a while: only what may have one is read.
        text.windows(4).any(|word| word == b"main")
            && parser
                .parse(unit, &mut Types::default())
                .is_ok_and(|model| model.function("main").is_some_and(|main| main.has_body))
    };
    let programs: Vec<_> = project.units.iter().filter(|unit| has_main(unit)).map(|unit| unit.file.clone()).collect();
    let name = wanted.strip_prefix(".").unwrap_or(wanted);
    let Some(chosen) = programs.iter().find(|file| file.ends_with(name)).cloned() else {
        let names: Vec<String> = programs.iter().map(|file| file.display().to_string()).collect();
        let there =
            if names.is_empty() { "none of the files has".into() } else { format!("{} have", names.join(", ")) };
        return Err(Failure::User(format!("--program {}: there is no `main` in it; {there} one", wanted.display())));
    };
    project.units.retain(|unit| unit.file == chosen || !programs.contains(&unit.file));
    Ok(())
}
