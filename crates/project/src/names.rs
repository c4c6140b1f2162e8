//! Names in a `covet.toml` against the program: what it speaks of must be there.
//!
//! The file speaks of a whole project. Where only some of its files are given, what it says about others is left aside.

use crate::{Compiled, Failure, Request};
use covet_input::AccessPath;
use covet_settings::{FunctionSettings, Origin, Said, Size, is_named, near};
use covet_source::{Function, Global};

/// Says which name of the settings of `request` the program does not know.
pub fn check(compiled: &Compiled, request: &Request<'_>) -> Result<(), Failure> {
    let (settings, is_whole) = (request.settings, request.is_whole_project());
    let names = Names { compiled, is_whole };
    let patterns = || settings.stubs.iter().chain(settings.functions.iter().flat_map(|about| &about.stubs));
    for about in &settings.functions {
        names.function(about)?;
    }
    for about in &settings.made_up {
        let Some(function) = names.of(&about.name)? else { continue };
        if function.has_body && !patterns().any(|said| said.value.matches(&function.name)) {
            return Err(Failure::User(format!(
                "{}: error: `{}` has a body and is no stub; name it in `stubs` too",
                about.name.origin, function.name
            )));
        }
        for output in about.outputs.iter().flatten() {
            parameter(function, &output.parameter)?;
        }
    }
    for said in patterns() {
        let is_meant =
            |function: &&Function| function.has_body && function.name != "main" && said.value.matches(&function.name);
        // What is typed is meant for what is given.
        if (is_whole || said.origin == Origin::default()) && !names.functions().any(|function| is_meant(&function)) {
            return Err(names.no_function(&said.origin, &said.value.pattern()));
        }
    }
    let globals = settings.symbolic_globals.iter();
    for said in globals.chain(settings.functions.iter().flat_map(|about| &about.symbolic_globals)) {
        names.global(said)?;
    }
    Ok(())
}

struct Names<'a> {
    compiled: &'a Compiled,
    /// Everything that the settings speak of must be there.
    is_whole: bool,
}

impl<'a> Names<'a> {
    fn functions(&self) -> impl Iterator<Item = &'a Function> {
        self.compiled.program.units.iter().flat_map(|unit| &unit.model.functions)
    }

    fn globals(&self) -> impl Iterator<Item = &'a Global> {
        self.compiled.program.units.iter().flat_map(|unit| &unit.model.globals)
    }

    /// The function of that name, with a body if there is such.
    fn of(&self, name: &Said<String>) -> Result<Option<&'a Function>, Failure> {
        let is_meant = |function: &&Function| is_named(&name.value, &function.file, &function.name);
        let found = self.functions().filter(is_meant).max_by_key(|function| function.has_body);
        match found {
            None if self.is_whole => Err(self.no_function(&name.origin, &name.value)),
            found => Ok(found),
        }
    }

    fn function(&self, about: &FunctionSettings) -> Result<(), Failure> {
        let Some(function) = self.of(&about.name)? else { return Ok(()) };
        for (path, size) in &about.sizes {
            let meant = AccessPath::of_argument(&path.value);
            let first = meant.root().as_argument().unwrap_or(&path.value).to_owned();
            parameter(function, &Said { value: first, origin: path.origin.clone() })?;
            if let Size::Parameter(name) = size {
                parameter(function, &Said { value: name.clone(), origin: path.origin.clone() })?;
            }
        }
        Ok(())
    }

    fn global(&self, name: &Said<String>) -> Result<(), Failure> {
        if !self.is_whole || self.globals().any(|global| global.name == name.value) {
            return Ok(());
        }
        let near = near(&name.value, self.globals().map(|global| global.name.as_str()));
        Err(Failure::User(format!("{}: error: no global variable `{}`{near}", name.origin, name.value)))
    }

    fn no_function(&self, origin: &Origin, name: &str) -> Failure {
        let plain = name.rsplit(':').next().unwrap_or(name);
        let near = near(plain, self.functions().filter(|f| f.has_body).map(|function| function.name.as_str()));
        match *origin == Origin::default() {
            true => Failure::User(format!("`--stub {name}`: no function with a body is called so{near}")),
            false => Failure::User(format!("{origin}: error: no function `{name}` in these sources{near}")),
        }
    }
}

fn parameter(function: &Function, name: &Said<String>) -> Result<(), Failure> {
    let names = || function.parameters.iter().map(|parameter| parameter.name.as_str());
    if names().any(|known| known == name.value) {
        return Ok(());
    }
    let all: Vec<&str> = names().collect();
    let near = near(&name.value, names());
    Err(Failure::User(format!(
        "{}: error: `{}` has no parameter `{}`{near} (it has: {})",
        name.origin,
        function.name,
        name.value,
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    )))
}
