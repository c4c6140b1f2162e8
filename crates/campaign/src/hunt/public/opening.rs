//! What a file that uses an interface begins with: the headers; and declarations of functions that no header declares.

use covet_project::interface::{Interface, PRELUDE};
use covet_source::{Function, TypeId, TypeKind, Types, spelling};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The first lines of a file in `folder` that calls these functions.
pub fn opening(interface: &Interface<'_>, calls: &BTreeSet<String>, folder: &Path) -> String {
    let mut text = PRELUDE.to_string();
    for header in &interface.headers.files {
        text += &format!("#include \"{}\"\n", relative(folder, header).display());
    }
    let is_undeclared = |function: &&Function| !interface.headers.declare(&function.name);
    let functions = calls.iter().filter_map(|name| interface.function(name)).map(|exported| exported.function);
    text += &declarations(interface.types(), functions.filter(is_undeclared));
    text
}

/// Prototypes, and the records that they speak of as far as a name is enough. What cannot be written is left out.
fn declarations<'f>(types: &Types, functions: impl Iterator<Item = &'f Function>) -> String {
    let (mut records, mut text) = (BTreeSet::new(), String::new());
    for function in functions {
        let all = function.parameters.iter().map(|parameter| parameter.ty).chain([function.result]);
        all.for_each(|id| names(types, id, &mut records));
        let spelled = |id: TypeId| match types.kind(id) {
            TypeKind::Enum(of) => types.get(of.underlying).name.clone(),
            _ => types.get(id).name.clone(),
        };
        let parameters: Vec<String> = function.parameters.iter().map(|parameter| spelled(parameter.ty)).collect();
        let list = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        if parameters.iter().chain([&spelled(function.result)]).all(|name| spelling::is_speakable(name)) {
            text +=
                &format!("{};\n", spelling::declare(&spelled(function.result), &format!("{}({list})", function.name)));
        }
    }
    let declared = records.iter().map(|name| match name.contains(' ') {
        true => format!("{name};\n"),
        // A record without a tag is known by its other name alone.
        false => format!("typedef struct {name} {name};\n"),
    });
    declared.collect::<String>() + &text
}

/// The names of the records that a type speaks of.
fn names(types: &Types, id: TypeId, found: &mut BTreeSet<String>) {
    match types.kind(id) {
        TypeKind::Record(_) => drop(found.insert(types.get(id).name.clone())),
        TypeKind::Pointer { pointee: next, .. } | TypeKind::Array { element: next, .. } => names(types, *next, found),
        TypeKind::Function { result, parameters, .. } => {
            parameters.iter().chain([result]).for_each(|id| names(types, *id, found));
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => {}
    }
}

/// `target` as seen from `folder`.
fn relative(folder: &Path, target: &Path) -> PathBuf {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (folder, target) = (real(folder), real(target));
    let shared = folder.components().zip(target.components()).take_while(|(a, b)| a == b).count();
    // What has nothing in common but the root is clearer as a whole.
    if shared <= 1 {
        return target;
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(target.components().skip(shared)).collect()
}
