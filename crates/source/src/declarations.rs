//! libclang tree → functions and globals of the unit. A definition replaces the declarations before it.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::Translation;
use crate::attributes::{nullability, promised};
use crate::clang::{Cursor, CursorKind, Shape, Storage, Tree};
use crate::letters::{self, Letters};
use crate::lower::{is_const, lower, lower_parameter, lower_rows};
use crate::spelling;
use crate::types::Types;
use crate::unit::{Function, Global, Parameter, Unit};
use crate::uses::{self, Uses};

/// Collects what `tree` declares at file scope.
pub fn unit(translation: &Translation, tree: &Tree<'_>, types: &mut Types) -> Unit {
    let context = Context { main_file: tree.root().name(), directory: &translation.directory };
    let mut functions = ByName::default();
    let mut globals = ByName::default();
    let mut headers: HashMap<String, PathBuf> = HashMap::new();
    for cursor in tree.root().children() {
        match cursor.kind() {
            CursorKind::Function => {
                let has_body = cursor.is_definition();
                if has_body || !cursor.is_in_system_header() {
                    let (name, found) = (cursor.name(), function(cursor, &context, types));
                    let is_declared = !found.in_main_file && !found.in_system_header && !found.is_static;
                    if is_declared {
                        headers.entry(name.clone()).or_insert_with(|| found.file.clone());
                    }
                    functions.put(name, found, |old| has_body && !old.has_body);
                }
            }
            CursorKind::Variable => {
                if !cursor.is_in_system_header() {
                    let (name, found) = (cursor.name(), global(cursor, &context, types));
                    let better = (found.is_defined, found.has_initializer);
                    globals.put(name, found, |old| better > (old.is_defined, old.has_initializer));
                }
            }
            CursorKind::Union
            | CursorKind::EnumConstant
            | CursorKind::Reference
            | CursorKind::Member
            | CursorKind::Call
            | CursorKind::Cast
            | CursorKind::Wrapping
            | CursorKind::Subscript
            | CursorKind::Comparison
            | CursorKind::Sum
            | CursorKind::Difference
            | CursorKind::Dereference
            | CursorKind::AddressOf
            | CursorKind::Assignment
            | CursorKind::Change
            | CursorKind::Return
            | CursorKind::Text
            | CursorKind::Test
            | CursorKind::Switch
            | CursorKind::Case
            | CursorKind::Other => {}
        }
    }
    functions.all.iter_mut().for_each(|function| function.header = headers.remove(&function.name));
    letters::settle(&mut functions.all, types);
    let records = types.take_seen();
    Unit { file: translation.file.clone(), functions: functions.all, globals: globals.all, records }
}

/// What places in this unit are relative to.
struct Context<'a> {
    main_file: String,
    directory: &'a Path,
}

impl Context<'_> {
    /// Absolute, without `.` and `..`: clang joins include paths as they come.
    fn absolute(&self, file: &str) -> PathBuf {
        let mut path = PathBuf::new();
        for component in self.directory.join(file).components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    path.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => path.push(component),
            }
        }
        path
    }
}

/// Items in order of first appearance.
struct ByName<T> {
    all: Vec<T>,
    index: HashMap<String, usize>,
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        ByName { all: Vec::new(), index: HashMap::new() }
    }
}

impl<T> ByName<T> {
    fn put(&mut self, name: String, item: T, replaces: impl FnOnce(&T) -> bool) {
        match self.index.get(&name) {
            Some(&at) if replaces(&self.all[at]) => self.all[at] = item,
            Some(_) => {}
            None => {
                self.index.insert(name, self.all.len());
                self.all.push(item);
            }
        }
    }
}

fn function(cursor: Cursor<'_>, context: &Context<'_>, types: &mut Types) -> Function {
    let in_main_file = cursor.real_file() == context.main_file;
    let start = cursor.start();
    let ty = cursor.ty();
    let has_prototype = ty.canonical().shape() != Shape::FunctionWithoutPrototype;
    let in_system_header = !in_main_file && cursor.is_in_system_header();
    let has_body = cursor.is_definition();
    let uses = if has_body && !in_system_header { uses::of(cursor, types) } else { Uses::default() };
    let arguments = cursor.arguments().into_iter();
    let promised = promised(&if in_system_header { Vec::new() } else { cursor.attributes() });
    Function {
        name: cursor.name(),
        symbol: cursor.symbol(),
        file: context.absolute(&start.file),
        line: start.line,
        end_line: cursor.end().line,
        in_main_file,
        in_system_header,
        header: None,
        visibility: cursor.visibility(),
        is_static: cursor.has_internal_linkage(),
        is_inline: cursor.is_inline(),
        is_extern: cursor.storage() == Storage::Extern,
        is_variadic: has_prototype && ty.is_variadic(),
        has_prototype,
        has_body,
        parameters: {
            let mut parameters: Vec<_> = arguments.map(|argument| parameter(argument, types)).collect();
            uses.counts.tell(&mut parameters, types);
            for parameter in &mut parameters {
                parameter.is_text = uses.texts.contains(&parameter.name);
                parameter.is_written = uses.written.contains(&parameter.name);
            }
            let is_promised = |at: &usize| promised.all || promised.parameters.contains(at);
            for at in (0..parameters.len()).filter(is_promised) {
                parameters[at].nullable.get_or_insert(false);
            }
            parameters
        },
        result: lower(types, cursor.result()),
        result_name: cursor.result().spelling(),
        gives_something: promised.result,
        mentions: uses.mentions.into_iter().collect(),
        members: uses.members.into_iter().collect(),
        rooms: uses.rooms.into_iter().collect(),
        conversions: uses.conversions,
        handed_on: uses.handed_on,
        passed: uses.passed,
        va_arg_types: uses.va_arg_types,
        cases: uses.cases,
        facts: uses.facts,
        letters: Letters::new(),
    }
}

fn parameter(cursor: Cursor<'_>, types: &mut Types) -> Parameter {
    let written = cursor.ty();
    let canonical = written.canonical();
    let ty = lower_parameter(types, written);
    let rows = lower_rows(types, written);
    let type_name = match spelling::decayed(&written.spelling()) {
        _ if rows.is_some() => "void *".to_owned(),
        Some(pointer) => pointer,
        None if written.spelling().contains('[') => types.get(ty).name.clone(),
        None => written.spelling(),
    };
    Parameter {
        name: cursor.name(),
        ty,
        type_name,
        declared_count: if canonical.shape() == Shape::ConstantArray { canonical.count() } else { None },
        rows,
        counted_by: None,
        is_text: false,
        nullable: nullability(&cursor.text().unwrap_or_default()),
        is_written: false,
    }
}

fn global(cursor: Cursor<'_>, context: &Context<'_>, types: &mut Types) -> Global {
    let start = cursor.start();
    let ty = cursor.ty();
    let initializer = cursor.initializer();
    let has_initializer = initializer.is_some();
    Global {
        name: cursor.name(),
        symbol: cursor.symbol(),
        file: context.absolute(&start.file),
        line: start.line,
        is_static: cursor.has_internal_linkage(),
        is_const: is_const(ty),
        is_thread_local: cursor.is_thread_local(),
        // A tentative definition (`int count;`) defines; `extern int count;` does not.
        is_defined: has_initializer || cursor.storage() != Storage::Extern,
        has_initializer,
        is_filled: initializer.is_some_and(|initializer| !initializer.is_zero()),
        mentions: initializer.map(uses::mentioned).unwrap_or_default().into_iter().collect(),
        ty: lower(types, ty),
        type_name: ty.spelling(),
    }
}
