//! An exported function → sequences of calls that lead to it: the objects it needs made by the library itself, perhaps changed by other
//! functions first, then the call.

use super::sequence::{Argument, Elements, Place, Sequence, Step};
use super::success;
use covet_project::interface::{By, Exported, Interface, Making, Way};
use covet_source::{Function, Parameter, TypeId, TypeKind, Types, spelling};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Calls of other functions between making an object and using it.
const MOST_CHANGES: u32 = 12;
/// Functions to choose from for these.
const MOST_CHANGERS: usize = 8;
/// Objects within objects.
const DEEPEST: usize = 4;
/// Numbers in a record that are inputs; the others are zero.
const MOST_MEMBERS: usize = 32;
/// Bytes for what a function writes without being told how many there are.
const ROOM: u64 = 4096;

/// Sequences that call `target`: with its objects as they are made, and with objects that were changed before. `matters` are the
/// names of functions and members that have to do with what is sought: what names them goes first.
pub fn compose(interface: &Interface<'_>, target: &Exported<'_>, matters: &BTreeSet<String>) -> Vec<Sequence> {
    let mut made = Vec::new();
    made.extend(Composer::new(interface).sequence(target, &[]));
    let changers = changers(interface, target, matters);
    if !changers.is_empty() {
        made.extend(Composer::new(interface).sequence(target, &changers));
    }
    made
}

/// Functions that change the objects that `target` takes, those first that have to do with what matters.
fn changers<'i, 'a>(
    interface: &'i Interface<'a>,
    target: &Exported<'_>,
    matters: &BTreeSet<String>,
) -> Vec<&'i Exported<'a>> {
    let objects: BTreeSet<TypeId> = target.ways.iter().filter_map(object_of).collect();
    let is_changer = |exported: &&Exported<'_>| {
        let takes = |(way, parameter): (&Way, &Parameter)| {
            object_of(way).is_some_and(|of| objects.contains(&of)) && !is_const(interface.types(), parameter)
        };
        let makes_one = exported.makes.iter().any(|making| objects.contains(&making.of) && making.by != By::Result);
        exported.destroys.is_none()
            && !makes_one
            && exported.ways.iter().zip(&exported.function.parameters).any(takes)
            && interface.cost_of(exported, None).is_some()
    };
    let relation = |exported: &&Exported<'_>| {
        let function = exported.function;
        let named = function.members.iter().chain(&function.mentions).filter(|name| matters.contains(*name)).count();
        let is_target = function.name == target.function.name;
        (!is_target, std::cmp::Reverse(named), function.line)
    };
    let mut found: Vec<&Exported<'a>> = interface.functions.iter().filter(is_changer).collect();
    found.sort_by_key(relation);
    found.truncate(MOST_CHANGERS);
    found
}

fn object_of(way: &Way) -> Option<TypeId> {
    match way {
        Way::Object(of) | Way::Handle(of) => Some(*of),
        Way::Scalar
        | Way::Constant { .. }
        | Way::Text
        | Way::Buffer { .. }
        | Way::Length { .. }
        | Way::Room
        | Way::Plain(_)
        | Way::Fresh(_)
        | Way::Null
        | Way::Data
        | Way::Callback
        | Way::Nothing(_) => None,
    }
}

fn is_const(types: &Types, parameter: &Parameter) -> bool {
    matches!(types.kind(parameter.ty), TypeKind::Pointer { is_const: true, .. })
}

/// An object in a variable: how it is passed, and how its address as a pointer is.
#[derive(Clone)]
struct Object {
    pointer: String,
    /// None for an object that is not behind a pointer.
    handle: Option<String>,
}

struct Composer<'i, 'a> {
    interface: &'i Interface<'a>,
    types: &'a Types,
    names: BTreeSet<String>,
    calls: Vec<String>,
    helpers: Vec<String>,
    steps: Vec<Step>,
}

impl<'i, 'a> Composer<'i, 'a> {
    fn new(interface: &'i Interface<'a>) -> Self {
        let functions = interface.functions.iter().map(|exported| exported.function.name.clone());
        Composer {
            interface,
            types: interface.types(),
            names: functions.chain(["step".to_string(), "choice".to_string()]).collect(),
            calls: Vec::new(),
            helpers: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Objects for `target`, up to [`MOST_CHANGES`] calls of `changers`, and the call.
    fn sequence(mut self, target: &Exported<'_>, changers: &[&Exported<'_>]) -> Option<Sequence> {
        let mut objects: BTreeMap<TypeId, Object> = BTreeMap::new();
        for of in target.ways.iter().filter_map(object_of) {
            if let Entry::Vacant(place) = objects.entry(of) {
                place.insert(self.object(of, 0)?);
            }
        }
        let mut choices = Vec::new();
        for changer in changers {
            let before = std::mem::take(&mut self.steps);
            let called = self.call(changer, &mut objects.clone(), None, 1);
            let steps = std::mem::replace(&mut self.steps, before);
            choices.extend(called.map(|()| steps));
        }
        if changers.is_empty() || !choices.is_empty() {
            if !choices.is_empty() {
                self.steps.push(Step::Repeat { input: "choice".to_string(), most: MOST_CHANGES, choices });
            }
            self.call(target, &mut objects, None, 0)?;
            let Composer { calls, helpers, steps, .. } = self;
            return Some(Sequence { name: String::new(), target: target.function.name.clone(), calls, helpers, steps });
        }
        None
    }

    /// An object of this type, made in the cheapest way that works.
    fn object(&mut self, of: TypeId, depth: usize) -> Option<Object> {
        if depth > DEEPEST {
            return None;
        }
        for (maker, making) in self.interface.makers(of) {
            let before = (self.steps.len(), self.calls.len(), self.helpers.len());
            if let Some(object) = self.made(maker, making, depth) {
                return Some(object);
            }
            self.steps.truncate(before.0);
            self.calls.truncate(before.1);
            self.helpers.truncate(before.2);
        }
        None
    }

    fn made(&mut self, maker: &Exported<'_>, making: Making, depth: usize) -> Option<Object> {
        let function = maker.function;
        let hint = match making.by {
            By::Result => "",
            By::Pointer(at) | By::Filling(at) => function.parameters[at].name.as_str(),
        };
        let name = self.name(if hint.is_empty() { object_name(self.types, making.of) } else { hint.to_string() });
        match making.by {
            By::Result => {
                let declares = spelling::declare(&function.result_name, &name);
                self.call(maker, &mut BTreeMap::new(), Some((making, declares)), depth + 1)?;
                self.steps.push(Step::Unless(format!("{name} != NULL")));
            }
            By::Pointer(at) | By::Filling(at) => {
                let parameter = &function.parameters[at];
                let spelled = self.element(parameter)?;
                let value = if matches!(making.by, By::Pointer(_)) { " = NULL" } else { "" };
                self.steps.push(Step::Line(format!("{}{value};", spelling::declare(&spelled, &name))));
                if value.is_empty() {
                    self.steps.push(Step::Line(format!("memset(&{name}, 0, sizeof {name});")));
                }
                let condition = success::condition(self.types, function);
                let status = condition.is_some().then(|| self.name("status".to_string()));
                let declares = status.as_ref().map(|status| spelling::declare(&function.result_name, status));
                let own = (making, declares.unwrap_or_default());
                self.call_with(maker, &mut BTreeMap::new(), Some(own), depth + 1, Some((at, format!("&{name}"))))?;
                if let (Some(condition), Some(status)) = (condition, status) {
                    self.steps.push(Step::Unless(format!("{status} {condition}")));
                }
                if matches!(making.by, By::Pointer(_)) {
                    self.steps.push(Step::Unless(format!("{name} != NULL")));
                }
            }
        }
        Some(match making.by {
            By::Result | By::Pointer(_) => Object { handle: Some(format!("&{name}")), pointer: name },
            By::Filling(_) => Object { pointer: format!("&{name}"), handle: None },
        })
    }

    fn call(
        &mut self,
        exported: &Exported<'_>,
        objects: &mut BTreeMap<TypeId, Object>,
        making: Option<(Making, String)>,
        depth: usize,
    ) -> Option<()> {
        self.call_with(exported, objects, making, depth, None)
    }

    /// A call, with values for its parameters; `given` is one that is there already. Objects are used once.
    fn call_with(
        &mut self,
        exported: &Exported<'_>,
        objects: &mut BTreeMap<TypeId, Object>,
        making: Option<(Making, String)>,
        depth: usize,
        given: Option<(usize, String)>,
    ) -> Option<()> {
        let function = exported.function;
        let mut arguments: Vec<Argument> = Vec::new();
        let mut elements: BTreeMap<usize, String> = BTreeMap::new();
        // What counts something comes after it, wherever it stands.
        let mut order: Vec<usize> = (0..function.parameters.len()).collect();
        order.sort_by_key(|at| matches!(exported.ways.get(*at), Some(Way::Length { .. })));
        let mut found: BTreeMap<usize, Argument> = BTreeMap::new();
        for at in order {
            let argument = match &given {
                Some((own, text)) if *own == at => Argument::Text(text.clone()),
                Some(_) | None => self.argument(exported, at, objects, &mut elements, depth)?,
            };
            found.insert(at, argument);
        }
        arguments.extend(found.into_values());
        if !self.calls.contains(&function.name) {
            self.calls.push(function.name.clone());
        }
        let declares = making.map(|(_, declares)| declares).filter(|declares| !declares.is_empty());
        self.steps.push(Step::Call { declares, function: function.name.clone(), arguments });
        Some(())
    }

    fn argument(
        &mut self,
        exported: &Exported<'_>,
        at: usize,
        objects: &mut BTreeMap<TypeId, Object>,
        elements: &mut BTreeMap<usize, String>,
        depth: usize,
    ) -> Option<Argument> {
        let function = exported.function;
        let parameter = &function.parameters[at];
        let input = |composer: &mut Self| composer.name(input_name(function, at));
        Some(match exported.ways.get(at)? {
            Way::Scalar => self.number(function, at, None),
            Way::Constant { least, greatest } => self.number(function, at, Some((*least, *greatest))),
            Way::Text | Way::Buffer { .. } => {
                let name = input(self);
                let is_text = matches!(exported.ways[at], Way::Text) || parameter.is_text;
                let step = self.elements(parameter, name.clone(), is_text)?;
                self.steps.push(Step::Elements(step));
                elements.insert(at, name.clone());
                Argument::Text(name)
            }
            Way::Length { of } => {
                let name = input(self);
                let (ty, spelled, of) = (parameter.ty, plain_name(parameter), elements.get(of)?.clone());
                self.steps.push(Step::Length { input: name.clone(), ty, spelled, of });
                Argument::Input(name)
            }
            Way::Room => {
                let name = input(self);
                if is_const(self.types, parameter) {
                    let step = self.elements(parameter, name.clone(), false)?;
                    self.steps.push(Step::Elements(step));
                } else {
                    let spelled = self.element(parameter)?;
                    let declared = spelling::declare(&spelled, &format!("{name}[{}]", ROOM / 64));
                    self.steps.push(Step::Line(format!("{declared} = {{ 0 }};")));
                }
                Argument::Text(name)
            }
            Way::Plain(of) => self.record(parameter, *of)?,
            Way::Object(of) => Argument::Text(self.taken(*of, objects, depth)?.pointer),
            Way::Handle(of) => Argument::Text(self.taken(*of, objects, depth)?.handle?),
            Way::Fresh(_) => {
                let (name, spelled) = (input(self), self.element(parameter)?);
                self.steps.push(Step::Line(format!("{};", spelling::declare(&spelled, &name))));
                self.steps.push(Step::Line(format!("memset(&{name}, 0, sizeof {name});")));
                Argument::Text(format!("&{name}"))
            }
            Way::Null => {
                let (name, spelled) = (input(self), self.element(parameter)?);
                self.steps.push(Step::Line(format!("{} = NULL;", spelling::declare(&spelled, &name))));
                Argument::Text(format!("&{name}"))
            }
            Way::Data => {
                let name = input(self);
                self.steps.push(Step::Line(format!("static char {name}[64];")));
                Argument::Text(name)
            }
            Way::Callback => Argument::Text(self.callback(parameter)?),
            Way::Nothing(_) => return None,
        })
    }

    /// An object that was made before and is not used yet in this call, or a new one.
    fn taken(&mut self, of: TypeId, objects: &mut BTreeMap<TypeId, Object>, depth: usize) -> Option<Object> {
        match objects.remove(&of) {
            Some(object) => Some(object),
            None => self.object(of, depth + 1),
        }
    }

    fn number(&mut self, function: &Function, at: usize, within: Option<(i128, i128)>) -> Argument {
        let parameter = &function.parameters[at];
        let input = self.name(input_name(function, at));
        let place = Place::Variable(plain_name(parameter));
        self.steps.push(Step::Number { input: input.clone(), ty: parameter.ty, place, within });
        Argument::Input(input)
    }

    fn elements(&self, parameter: &Parameter, input: String, is_text: bool) -> Option<Elements> {
        let TypeKind::Pointer { pointee, is_const } = self.types.kind(parameter.ty) else { return None };
        let size = self.types.get(*pointee).size.unwrap_or(1).max(1);
        let spelled = match self.types.kind(*pointee) {
            TypeKind::Void => "unsigned char".to_string(),
            _ => self.element(parameter)?,
        };
        // What is written there may be longer than what is there.
        let room = if is_text && !is_const { ROOM } else { 0 };
        Some(Elements { input, spelled, size, is_text, room })
    }

    /// The type that a pointer leads to, as spelled.
    fn element(&self, parameter: &Parameter) -> Option<String> {
        let TypeKind::Pointer { pointee, .. } = self.types.kind(parameter.ty) else { return None };
        spelling::element(self.types, &parameter.type_name, *pointee)
    }

    /// A record whose members are inputs, by value or by address.
    fn record(&mut self, parameter: &Parameter, of: TypeId) -> Option<Argument> {
        let is_pointer = matches!(self.types.kind(parameter.ty), TypeKind::Pointer { .. });
        let spelled = if is_pointer { self.element(parameter)? } else { plain_name(parameter) };
        let base = if parameter.name.is_empty() { object_name(self.types, of) } else { parameter.name.clone() };
        let name = self.name(base);
        self.steps.push(Step::Line(format!("{};", spelling::declare(&spelled, &name))));
        self.steps.push(Step::Line(format!("memset(&{name}, 0, sizeof {name});")));
        let mut members = Vec::new();
        self.members(of, &name, &mut members);
        for (place, ty) in members {
            let input = self.name(place.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
            self.steps.push(Step::Number { input, ty, place: Place::Member(place), within: None });
        }
        Some(Argument::Text(if is_pointer { format!("&{name}") } else { name }))
    }

    fn members(&self, id: TypeId, place: &str, found: &mut Vec<(String, TypeId)>) {
        if found.len() >= MOST_MEMBERS {
            return;
        }
        match self.types.kind(id) {
            TypeKind::Record(record) => {
                record
                    .fields
                    .iter()
                    .for_each(|field| self.members(field.ty, &format!("{place}.{}", field.name), found));
            }
            TypeKind::Array { element, count } => {
                (0..count.unwrap_or(0))
                    .take(MOST_MEMBERS)
                    .for_each(|at| self.members(*element, &format!("{place}[{at}]"), found));
            }
            TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_) => found.push((place.to_string(), id)),
            TypeKind::Void
            | TypeKind::Pointer { .. }
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => {}
        }
    }

    /// A function of that type that does nothing.
    fn callback(&mut self, parameter: &Parameter) -> Option<String> {
        let TypeKind::Pointer { pointee, .. } = self.types.kind(parameter.ty) else { return None };
        let TypeKind::Function { result, parameters, variadic: false } = self.types.kind(*pointee) else { return None };
        let spelled = |id: &TypeId| Some(self.types.get(*id).name.clone()).filter(|name| is_simple(name));
        let taken =
            parameters.iter().enumerate().map(|(at, id)| Some(spelling::declare(&spelled(id)?, &format!("a{at}"))));
        let taken = taken.collect::<Option<Vec<String>>>()?;
        let taken = if taken.is_empty() { "void".to_string() } else { taken.join(", ") };
        let result = spelled(result)?;
        let base = if parameter.name.is_empty() { "callback" } else { &parameter.name };
        let name = self.name(format!("do_nothing_{base}"));
        let body = if result == "void" { "" } else { "return 0; " };
        self.helpers.push(format!("static {result} {name}({taken}) {{ {body}}}"));
        Some(name)
    }

    /// A name that nothing else here has.
    fn name(&mut self, wanted: String) -> String {
        let mut name = wanted.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

/// What the value of a parameter is called.
fn input_name(function: &Function, at: usize) -> String {
    match function.parameters[at].name.as_str() {
        "" => format!("{}_{}", function.name, at + 1),
        name => name.to_string(),
    }
}

/// The type of a parameter without what says nothing of its value.
fn plain_name(parameter: &Parameter) -> String {
    parameter.type_name.trim_start_matches("const ").to_string()
}

/// `struct stack` is called `stack`.
fn object_name(types: &Types, of: TypeId) -> String {
    let name = types.get(of).name.rsplit(' ').next().unwrap_or("object").to_lowercase();
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name = name.strip_suffix("_t").unwrap_or(&name).trim_matches('_').to_string();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        "object".to_string()
    } else {
        format!("the_{name}")
    }
}

fn is_simple(name: &str) -> bool {
    spelling::is_speakable(name) && !name.contains(['(', '['])
}
