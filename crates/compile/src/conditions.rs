//! Conditions that the user writes in C (`covet.toml`) → functions that assume them, compiled at the end of the unit they speak of.
//!
//! ```text
//! static void __covet_assumes_0_f(int length) { (void)sizeof
//! #line 12 "covet.toml"
//!        !!(length <= 64)
//! ; covet_assume( ... ); }
//! ```
//!
//! They stand before anything else of ours, so that macros mean what they mean in the unit, and clang's messages speak of the file
//! the user wrote. Under `sizeof`, clang tells expressions that change something.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use covet_settings::{Said, Settings, is_named};
use covet_source::{Function, Parameter, Translation, Unit, spelling};

use crate::clang::Tools;
use crate::stub::RESULT;
use crate::{CONDITION_PREFIX, Error, PROMISE_PREFIX};

/// The conditions of one unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    pub text: String,
    /// For functions (by index) with conditions: the parameters (by index) that these are told.
    told: BTreeMap<usize, Vec<usize>>,
    /// Functions whose stubs keep promises: their names, and what assumes them.
    promises: BTreeMap<String, String>,
}

impl Conditions {
    /// What `settings` say about the functions of `unit` (number `number`) that have a body.
    pub fn of(number: usize, unit: &Unit, settings: &Settings) -> Conditions {
        let mut conditions = Conditions::default();
        for (index, function) in unit.functions.iter().enumerate().filter(|(_, function)| function.has_body) {
            let is_meant = |name: &str| is_named(name, &function.file, &function.name);
            let about = settings.functions.iter().filter(|about| is_meant(&about.name.value));
            let said: Vec<&Said<String>> = about.flat_map(|about| &about.assume).collect();
            if !said.is_empty() {
                conditions.add(number, index, function, &said);
            }
        }
        for function in &unit.functions {
            let about = settings.made_up.iter().filter(|about| about.name.value == function.name);
            let said: Vec<&Said<String>> = about.flat_map(|about| &about.assume).collect();
            if !said.is_empty() {
                conditions.promise(number, function, &said);
            }
        }
        conditions
    }

    /// The function that assumes what the user promises of the stub of `function`, with its parameters and its result.
    pub fn promise_of(&self, function: &str) -> Option<&str> {
        self.promises.get(function).map(String::as_str)
    }

    fn promise(&mut self, unit: usize, function: &Function, said: &[&Said<String>]) {
        let name = format!("{PROMISE_PREFIX}{unit}_{}", function.name);
        let declare = |(at, parameter): (usize, &Parameter)| match parameter.name.as_str() {
            "" | RESULT => spelling::declare(&parameter.type_name, &format!("__covet_a{at}")),
            name => spelling::declare(&parameter.type_name, name),
        };
        let mut declared: Vec<String> = function.parameters.iter().enumerate().map(declare).collect();
        if function.result_name != "void" {
            declared.push(spelling::declare(&function.result_name, RESULT));
        }
        self.define(&name, &declared, said);
        self.promises.insert(function.name.clone(), name);
    }

    fn add(&mut self, unit: usize, index: usize, function: &Function, said: &[&Said<String>]) {
        let told: Vec<usize> = (0..function.parameters.len())
            .filter(|&at| said.iter().any(|said| mentions(&said.value, &function.parameters[at].name)))
            .collect();
        let declared: Vec<String> = told
            .iter()
            .map(|&at| &function.parameters[at])
            .map(|parameter| spelling::declare(&parameter.type_name, &parameter.name))
            .collect();
        self.define(&name(unit, function), &declared, said);
        self.told.insert(index, told);
    }

    fn define(&mut self, name: &str, declared: &[String], said: &[&Said<String>]) {
        let list = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        if self.text.is_empty() {
            self.text += "extern void covet_assume(int);\n";
        }
        let _ = write!(self.text, "__attribute__((nodebug)) static void {name}({list}) {{");
        for said in said {
            let expression = written(said);
            let _ = write!(self.text, " (void)sizeof {expression}; covet_assume({expression});");
        }
        self.text += " }\n";
    }

    /// The statement by which the driver of a function makes sure of its conditions; `arguments` are its arguments.
    pub fn statement(&self, unit: usize, index: usize, function: &Function, arguments: &[String]) -> String {
        let Some(told) = self.told.get(&index) else { return String::new() };
        let told: Vec<&str> = told.iter().map(|&at| arguments[at].as_str()).collect();
        format!("{}({}); ", name(unit, function), told.join(", "))
    }

    /// A file with the text, if there is any.
    pub fn file(&self, tools: &Tools<'_>) -> Result<Option<PathBuf>, Error> {
        match self.text.as_str() {
            "" => Ok(None),
            text => Ok(Some(tools.cache.bytes("conditions", "inc", text.as_bytes())?)),
        }
    }

    /// Says what is wrong with the conditions of `unit`, if anything is.
    pub fn check(&self, tools: &Tools<'_>, unit: &Translation) -> Result<(), Error> {
        let Some(file) = self.file(tools)? else { return Ok(()) };
        let mode = ["-fsyntax-only", "-Wno-everything", "-Werror=unevaluated-expression"];
        let checked = tools.compile_extended(unit, &mode, "checked", &tools.preprocess(unit)?, Some(&file));
        checked.map(drop).map_err(|error| match error {
            Error::Clang { file, stderr } => Error::Clang { file, stderr: explained(&stderr) },
            other => other,
        })
    }
}

fn name(unit: usize, function: &Function) -> String {
    format!("{CONDITION_PREFIX}{unit}_{}", function.name)
}

/// The expression, as a truth value, on lines of its own that clang takes for those of the user's file, at the column where it is
/// written there.
fn written(said: &Said<String>) -> String {
    let column = (said.origin.column as usize).saturating_sub(1 + "!!(".len());
    let file = said.origin.file.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\n#line {} \"{file}\"\n{}!!({})\n", said.origin.line, " ".repeat(column), said.value)
}

fn mentions(expression: &str, name: &str) -> bool {
    !name.is_empty() && expression.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

/// Clang's errors, each once, with what to do about them.
fn explained(stderr: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in stderr.lines().filter(|line| line.contains("error: ") && !line.contains("fatal error")) {
        let line = line.split(" [-W").next().unwrap_or(line);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let has_effects = lines.iter().any(|line| line.contains("expression with side effects"));
    let mut text = lines.join("\n").replace(
        "expression with side effects has no effect in an unevaluated context",
        "this expression changes something",
    );
    text += match has_effects {
        true => "\nAn assumption may look at everything and change nothing; write == to compare.",
        false => "\nAn assumption is a C expression over the function's parameters and what its file can see.",
    };
    text
}
