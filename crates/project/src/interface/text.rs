//! The interface of a project → text for people: exported functions, who makes and takes back which type, how parameters are had.

use super::{By, Exported, Interface, Way};
use covet_source::{TypeId, Types, spelling};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// `int push(struct stack *s, int value)`.
pub fn declaration(exported: &Exported<'_>) -> String {
    let function = exported.function;
    let mut parameters: Vec<String> = (function.parameters.iter())
        .map(|parameter| spelling::declare(&parameter.type_name, &parameter.name).trim_end().to_string())
        .collect();
    if function.is_variadic {
        parameters.push("...".to_string());
    }
    let list = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    spelling::declare(&function.result_name, &format!("{}({list})", function.name))
}

/// Everything there is to be said about an interface.
pub fn describe(interface: &Interface<'_>) -> String {
    let types = interface.types();
    let mut text = String::new();
    for header in &interface.headers.files {
        let _ = writeln!(text, "header {}", header.display());
    }
    if interface.headers.is_empty() {
        text += "no header declares the functions: all that are not static are taken for exported\n";
    }
    let has_main = |unit: &covet_compile::CompiledUnit| unit.model.function("main").is_some_and(|main| main.has_body);
    if let Some(unit) = interface.compiled.program.units.iter().find(|unit| has_main(unit)) {
        let _ = writeln!(text, "program: main ({})", unit.translation.file.display());
    }
    for exported in &interface.functions {
        let _ = writeln!(text, "\n{}", declaration(exported));
        for (parameter, way) in exported.function.parameters.iter().zip(&exported.ways) {
            let name = if parameter.name.is_empty() { "(unnamed)" } else { &parameter.name };
            let _ = writeln!(text, "  {name}: {}", told(interface, exported, way));
        }
        for making in &exported.makes {
            let how = match making.by {
                By::Result => "returns it",
                By::Pointer(_) => "sets a pointer to it",
                By::Filling(_) => "fills it",
            };
            let _ = writeln!(text, "  makes {}: {how}", name(types, making.of));
        }
        if let Some(of) = exported.destroys {
            let _ = writeln!(text, "  takes back {}", name(types, of));
        }
    }
    text + &makers(interface)
}

/// Every type that is made or taken back, and by whom.
fn makers(interface: &Interface<'_>) -> String {
    let types = interface.types();
    let mut all: BTreeMap<TypeId, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for exported in &interface.functions {
        let own = exported.function.name.as_str();
        exported.makes.iter().for_each(|making| all.entry(making.of).or_default().0.push(own));
        exported.destroys.iter().for_each(|of| all.entry(*of).or_default().1.push(own));
    }
    let mut text = String::new();
    for (of, (made, taken)) in all {
        let cheapest = interface.makers(of).first().map(|(maker, _)| maker.function.name.clone());
        let _ = writeln!(text, "\ntype {}", name(types, of));
        let _ = writeln!(text, "  made by {}", list(&made));
        let _ = writeln!(text, "  taken back by {}", list(&taken));
        let first = cheapest.unwrap_or_else(|| "nothing: a parameter of each cannot be had".to_string());
        let _ = writeln!(text, "  had from {first}");
    }
    text
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "nobody".to_string() } else { names.join(", ") }
}

fn name(types: &Types, id: TypeId) -> &str {
    &types.get(id).name
}

fn told(interface: &Interface<'_>, exported: &Exported<'_>, way: &Way) -> String {
    let types = interface.types();
    let parameter = |at: usize| exported.function.parameters[at].name.as_str();
    let object = |of: TypeId| match interface.makers(of).first() {
        Some((maker, _)) => format!("{} from {}", name(types, of), maker.function.name),
        None => format!("{}, which cannot be had", name(types, of)),
    };
    match way {
        Way::Scalar => "any number".to_string(),
        Way::Constant { least, greatest } => format!("a constant from {least} to {greatest}"),
        Way::Text => "any text".to_string(),
        Way::Buffer { counted_by } => format!("any elements, as many as {} says", parameter(*counted_by)),
        Way::Length { of } => format!("how many elements {} has", parameter(*of)),
        Way::Room => "room for numbers".to_string(),
        Way::Plain(of) => format!("any {}", name(types, *of)),
        Way::Object(of) => object(*of),
        Way::Handle(of) => format!("the address of a {}", object(*of)),
        Way::Fresh(of) => format!("a {} to be filled", name(types, *of)),
        Way::Null => "the address of a NULL pointer".to_string(),
        Way::Data => "the address of some bytes".to_string(),
        Way::Callback => "a function that does nothing".to_string(),
        Way::Nothing(why) => format!("cannot be had: {why}"),
    }
}
