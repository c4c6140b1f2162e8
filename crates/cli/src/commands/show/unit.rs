//! A function → text: whom it depends on, its extended unit and its calling contexts.

use crate::arguments::show::ShowArgs;
use crate::failure::Failure;
use covet_profile::{Basis, Calls, Profile, Relevance};
use covet_project::Prepared;
use covet_sites::FunctionNumber;
use std::fmt::Write as _;

pub fn text(args: &ShowArgs, prepared: &Prepared, function: FunctionNumber) -> Result<String, Failure> {
    let mut profile = Profile::default();
    for file in &args.profiles {
        let read = Profile::read(file).map_err(|error| Failure::User(error.to_string()))?;
        profile.merge(&read);
    }
    let calls = Calls::of(&profile, &prepared.map);
    let relevance = Relevance::of(function, &calls, args.tau);
    let name = |number: FunctionNumber| {
        prepared.map.functions.get(number.index()).map_or_else(String::new, |info| info.name.clone())
    };
    let own = name(function);
    let mut text = match relevance.basis {
        Basis::Runs => format!("{own}: called by {} of {} runs\n", relevance.dependency.runs, calls.run_count()),
        Basis::Source => format!("{own}: called by none of {} runs; the source decides\n", calls.run_count()),
    };
    for (other, together) in &relevance.dependency.together {
        if let Some(dependency) = relevance.dependency.on(*other) {
            let runs = relevance.dependency.runs;
            let _ = writeln!(text, "p({}|{own}) = {dependency:.2} ({together}/{runs})", name(*other));
        }
    }
    let unit: Vec<String> = relevance.unit.iter().map(|number| name(*number)).collect();
    let _ = writeln!(text, "unit: {}", unit.join(", "));
    for context in &relevance.contexts.all {
        let path: Vec<String> = context.iter().map(|number| name(*number)).collect();
        let _ = writeln!(text, "context: {}", path.join(" -> "));
    }
    if relevance.contexts.is_cut {
        text.push_str("context: and more\n");
    }
    Ok(text)
}
