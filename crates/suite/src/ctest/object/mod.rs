//! Values of one test + the type table → C declarations that build them, and the expressions that name them.
//!
//! Objects behind pointers are declared before what points at them and live on the heap, as they did in the recorded run (the
//! tested function may free them). A pointer back into an object that is still being built is set afterwards.

mod initializer;
mod raw;
mod reachable;
mod zero;

pub use reachable::Reachable;

use super::access::Node;
use super::body::{assign, contents};
use super::data::Data;
use super::watch::{Root, Watched};
use super::{literal, mock};
use covet_input::{ALLOCATORS, AccessPath, PathRoot, PathStep, Pointee};
use covet_source::{Field, PointeeTypes, TypeId, TypeKind, Types, fill_of, spelling};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the body of one test function.
pub struct Builder<'a> {
    pub types: &'a Types,
    /// By canonical path.
    pointers: BTreeMap<AccessPath, Pointee>,
    /// Statements so far.
    pub lines: Vec<String>,
    /// Identifiers that may not be declared again.
    taken: BTreeSet<String>,
    /// Pointer path → the variable that holds the finished pointer.
    pub(super) finished: BTreeMap<AccessPath, String>,
    /// What the tested code takes pointers for.
    pub pointee_types: PointeeTypes,
    /// What this file can name, and what it must declare first.
    pub reachable: &'a Reachable<'a>,
    /// What made-up functions return, and their definitions so far.
    pub returned: mock::Returned,
    /// What made-up functions wrote.
    pub filled: mock::Filled,
    pub definitions: Vec<String>,
    /// The objects on the heap, in the order they are made.
    pub objects: Vec<Watched>,
    pub data: Data,
    /// The test's own C name.
    pub symbol: &'a str,
    /// Assignments to make once the object on the way is finished.
    back: Vec<Back>,
}

/// A pointer to be set to another one, some elements further.
struct Back {
    expression: String,
    to: AccessPath,
    at: u64,
}

/// Elements of an object and the zeroed ones after them.
#[derive(Clone, Copy)]
pub struct Room {
    pub elements: u64,
    pub zeros: u64,
}

/// A place to build: its type, the name of the type as written, its input and its path.
#[derive(Clone, Copy)]
pub struct Place<'n> {
    pub ty: TypeId,
    pub written: &'n str,
    pub bit_width: Option<u32>,
    /// A pointer that leads to another type than it is declared with.
    pub is_inferred: bool,
    pub node: Option<&'n Node>,
    /// Canonical.
    pub path: &'n AccessPath,
    /// The C expression for this place, when it can be assigned to.
    pub expression: &'n str,
}

impl<'a> Builder<'a> {
    pub fn new(
        types: &'a Types,
        reachable: &'a Reachable<'a>,
        pointers: &BTreeMap<AccessPath, Pointee>,
        taken: BTreeSet<String>,
        symbol: &'a str,
        data: Data,
    ) -> Builder<'a> {
        let pointers = pointers.iter().map(|(path, pointee)| (path.canonical(), pointee.clone())).collect();
        Builder {
            types,
            pointers,
            lines: Vec::new(),
            taken,
            finished: BTreeMap::new(),
            pointee_types: PointeeTypes::default(),
            reachable,
            returned: mock::Returned::new(),
            filled: mock::Filled::new(),
            definitions: Vec::new(),
            objects: Vec::new(),
            data,
            symbol,
            back: Vec::new(),
        }
    }

    /// Whether the record says what a pointer at or below this place points at, be it NULL.
    pub fn knows_pointer(&self, path: &AccessPath) -> bool {
        self.pointers_below(path).next().is_some()
    }

    /// The place of a pointer as the tested code takes it.
    pub fn as_taken<'n>(&self, place: Place<'n>, inferred: Option<TypeId>) -> Place<'n>
    where
        'a: 'n,
    {
        let TypeKind::Pointer { pointee, .. } = self.types.kind(place.ty) else { return place };
        let is_void = matches!(self.types.kind(*pointee), TypeKind::Void);
        match inferred.filter(|_| !is_void || self.is_typed(place.path, place.node)) {
            Some(ty) => Place { ty, written: &self.types.get(ty).name, is_inferred: true, ..place },
            None => place,
        }
    }

    /// Whether the input behind a `void *` has parts: then it was built as what the function takes it for.
    fn is_typed(&self, path: &AccessPath, node: Option<&Node>) -> bool {
        let has_parts = |node: &Node| node.fields().next().is_some() || node.extent() > 0;
        let is_wide = |node: &Node| node.value.is_some_and(|value| value.width > 8);
        let first = node.and_then(|node| node.element(0));
        first.is_some_and(|first| has_parts(first) || is_wide(first)) || self.knows_pointer(&path.index(0))
    }

    pub(super) fn pointers_below<'b>(
        &'b self,
        path: &'b AccessPath,
    ) -> impl Iterator<Item = (&'b [PathStep], &'b Pointee)> {
        // Canonical paths of parts begin with the text of the whole.
        let near = self.pointers.range::<AccessPath, _>(path..);
        let near = near.take_while(|(known, _)| known.as_str().starts_with(path.as_str()));
        near.filter_map(|(known, pointee)| Some((known.below(path)?, pointee)))
    }

    /// The name of a function as a value; NULL when this file cannot reach it.
    fn function_value(&mut self, name: String) -> String {
        if ALLOCATORS.contains(&name.as_str()) {
            return format!("(void *)covtest_{name}");
        }
        if self.reachable.here.contains(name.as_str()) {
            return name;
        }
        if self.reachable.elsewhere.contains(name.as_str()) {
            // Its true type does not matter: only its address is taken.
            self.lines.push(format!("extern void {name}();"));
            return format!("(void *){name}");
        }
        self.lines.push(format!("/* the function {name} cannot be reached from here */"));
        "NULL".to_string()
    }

    /// The name of a function that returns what the function of type `function` made up for this pointer did.
    fn mock(&mut self, path: &AccessPath, function: TypeId) -> String {
        let name = format!("{}_stub_{}", self.symbol, self.definitions.len() + 1);
        let values = self.returned.get(path).map_or(&[][..], Vec::as_slice);
        let types = self.types;
        let filling = self.filled.get(path).zip(fill_of(types, function));
        let filling = filling.map(|(calls, fill)| mock::Filling { types, function, fill, calls });
        self.definitions.push(mock::definition(&name, values, filling.as_ref()));
        format!("(void *){name}")
    }

    /// An identifier like `wish` that is not in use.
    pub fn name(&mut self, wish: &str) -> String {
        let clean: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut name = clean.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{clean}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// Declares a variable named like `wish` with the value of the place; gives its name.
    pub fn variable(&mut self, wish: &str, place: Place<'_>) -> String {
        if let TypeKind::Pointer { pointee, .. } = self.types.kind(place.ty) {
            if let Some(room) = self.room(place, *pointee) {
                return self.object(wish, place, *pointee, room);
            }
            if self.pointers.get(place.path) == Some(&Pointee::Stream) {
                return self.stream(wish, place);
            }
        }
        let name = self.name(wish);
        let value = self.initializer(Place { expression: &name, ..place });
        // The name of a type may hide an array (`va_list`), which cannot be set to a pointer.
        let may_be_array =
            matches!(self.types.kind(place.ty), TypeKind::Pointer { .. }) && !place.written.contains(['*', '[', '(']);
        let written = if may_be_array { "void *" } else { place.written };
        self.lines.push(format!("{} = {value};", spelling::declare(written, &name)));
        self.set_back_pointers();
        name
    }

    /// How many elements the object behind this pointer has; none when there is no such object.
    fn room(&self, place: Place<'_>, pointee: TypeId) -> Option<Room> {
        let buildable = match self.types.kind(self.types.completed(pointee)) {
            TypeKind::Function { .. } => false,
            TypeKind::Record(record) => record.complete,
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => true,
        };
        match self.pointers.get(place.path) {
            Some(Pointee::Object { elements, more }) => buildable.then_some(Room { elements: *elements, zeros: *more }),
            Some(
                Pointee::Null
                | Pointee::Alias(_)
                | Pointee::Inside { .. }
                | Pointee::Function(_)
                | Pointee::Mock
                | Pointee::Stream,
            ) => None,
            None => {
                let count = place.node.map(Node::extent).filter(|&count| buildable && count > 0)?;
                Some(Room { elements: count, zeros: u64::from(self.ends_with_zero(pointee)) })
            }
        }
    }

    fn pointer(&mut self, place: Place<'_>, pointee: TypeId) -> String {
        if let Some(room) = self.room(place, pointee) {
            return self.object(&identifier(place.path), place, pointee, room);
        }
        match self.pointers.get(place.path).cloned() {
            Some(Pointee::Function(name)) => self.function_value(name),
            Some(Pointee::Mock) => self.mock(place.path, pointee),
            Some(Pointee::Stream) => self.stream(&identifier(place.path), place),
            Some(Pointee::Alias(other)) => {
                let other = other.canonical();
                if let Some(name) = self.finished.get(&other) {
                    return if place.is_inferred { format!("(void *){name}") } else { name.clone() };
                }
                self.back.push(Back { expression: place.expression.to_string(), to: other, at: 0 });
                "NULL".to_string()
            }
            Some(Pointee::Inside { of, at }) => {
                let of = of.canonical();
                if let Some(name) = self.finished.get(&of) {
                    return format!("{name} + {at}");
                }
                self.back.push(Back { expression: place.expression.to_string(), to: of, at });
                "NULL".to_string()
            }
            Some(Pointee::Null | Pointee::Object { .. }) => "NULL".to_string(),
            None => match place.node.and_then(Node::take) {
                Some(value) if value.bits != 0 => literal::scalar(self.types, place.ty, None, value),
                Some(_) | None => "NULL".to_string(),
            },
        }
    }

    /// Declares a stream over a file with the bytes of this place; gives its name.
    fn stream(&mut self, wish: &str, place: Place<'_>) -> String {
        let name = self.name(wish);
        let bytes = place.node.map(contents).unwrap_or_default();
        let text = self.bytes(&format!("{name}_bytes"), &bytes);
        self.lines.push(format!("void *{name} = covtest_stream({text}, {});", bytes.len()));
        self.finished.insert(place.path.clone(), name.clone());
        self.set_back_pointers();
        name
    }

    /// An expression for a text of these bytes: a literal, or a variable like `wish` for many.
    pub fn bytes(&mut self, wish: &str, bytes: &[u8]) -> String {
        let literal = literal::string(bytes);
        let text = self.data.initializer(literal.clone());
        if text == literal {
            return text;
        }
        let name = self.name(wish);
        self.lines.push(format!("static const char {name}[] = {text};"));
        name
    }

    /// Declares the object and the pointer to it; gives the pointer's name.
    fn object(&mut self, wish: &str, place: Place<'_>, pointee: TypeId, room: Room) -> String {
        let pointee = self.types.completed(pointee);
        // A pointer's own value, where recorded, is an address of that run: it means nothing here.
        let _ = place.node.and_then(Node::take);
        // What stood where a text could have been longer is no part of it.
        let beyond = place.node.map_or(0, Node::extent);
        (room.elements..beyond).filter_map(|at| place.node?.element(at)).for_each(Node::take_all);
        let name = self.name(wish);
        let is_void = matches!(self.types.kind(pointee), TypeKind::Void);
        let spelled = match self.reachable.sees(self.types, pointee) {
            true if is_void => Some("char".to_string()),
            true => spelling::element(self.types, place.written, pointee),
            false => None,
        };
        if room.elements + room.zeros == 0 {
            let target = spelled.unwrap_or_else(|| "void".to_string());
            self.lines.push(format!("{} = covtest_object(NULL, 0);", declare_pointer(&target, &name)));
        } else if let Some(target) = spelled {
            self.typed_object(&name, &target, place, pointee, room);
        } else {
            self.raw_object(&name, place, pointee, room);
        }
        self.finished.insert(place.path.clone(), name.clone());
        self.set_back_pointers();
        if place.is_inferred { format!("(void *){name}") } else { name }
    }

    /// `struct point p_value = { ... };` and the pointer `p` to a copy of it on the heap.
    fn typed_object(&mut self, name: &str, target: &str, place: Place<'_>, element: TypeId, room: Room) {
        let Room { elements, zeros } = room;
        let (path, expression) = (place.path.index(0), format!("{name}[0]"));
        let only = Place {
            ty: element,
            written: target,
            bit_width: None,
            is_inferred: false,
            node: place.node.and_then(|node| node.element(0)),
            path: &path,
            expression: &expression,
        };
        if let Some(tail) = flexible_member(self.types, element) {
            let bytes = format!("sizeof({target}) + {zeros} * sizeof((({target} *)0)->{}[0])", tail.name);
            self.lines.push(format!("{} = covtest_object(NULL, {bytes});", declare_pointer(target, name)));
            self.watch(name, Some(element), 1, bytes);
            // C has no initializer for the flexible member: part by part.
            return assign(self, only);
        }
        let pointer = declare_pointer(target, name);
        if self.is_blank(place, elements) {
            let size = if elements + zeros == 1 {
                format!("sizeof *{name}")
            } else {
                format!("{} * sizeof *{name}", elements + zeros)
            };
            self.lines.push(format!("{pointer} = covtest_object(NULL, {size});"));
            return self.watch(name, Some(element), elements + zeros, size);
        }
        let storage = self.name(&format!("{name}_value"));
        let (declared, value, start) = if elements + zeros == 1 {
            (spelling::declare(target, &storage), self.initializer(only), "&")
        } else {
            let parts = self.sequence(place, element, elements, name, target);
            (declare_array(target, &storage, elements + zeros), parts, "")
        };
        let value = self.data.initializer(value);
        self.lines.push(format!("{declared} = {value};"));
        self.lines.push(format!("{pointer} = covtest_object({start}{storage}, sizeof {storage});"));
        self.watch(name, Some(element), elements + zeros, format!("sizeof {storage}"));
    }

    /// Whether an object of so many elements is all zeros.
    fn is_blank(&self, place: Place<'_>, elements: u64) -> bool {
        let named = |node: &Node| (0..elements.min(node.extent())).filter_map(|at| node.element(at)).all(Node::is_zero);
        let mut inside = self.pointers_below(place.path).filter(|(steps, _)| !steps.is_empty());
        inside.all(|(_, pointee)| *pointee == Pointee::Null) && place.node.is_none_or(named)
    }

    fn watch(&mut self, name: &str, ty: Option<TypeId>, elements: u64, size: String) {
        self.objects.push(Watched { root: Root::Object, name: name.to_string(), ty, elements, size });
    }

    /// Strings and lists of pointers have a zero after their elements, where the record says nothing else.
    fn ends_with_zero(&self, element: TypeId) -> bool {
        match self.types.kind(element) {
            TypeKind::Void | TypeKind::Char { .. } | TypeKind::Int { width: 8, .. } | TypeKind::Pointer { .. } => true,
            TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => false,
        }
    }

    fn set_back_pointers(&mut self) {
        let (ready, waiting) =
            std::mem::take(&mut self.back).into_iter().partition(|back| self.finished.contains_key(&back.to));
        self.back = waiting;
        let ready: Vec<Back> = ready;
        for Back { expression, to, at } in ready {
            let further = if at == 0 { String::new() } else { format!(" + {at}") };
            self.lines.push(format!("{expression} = {}{further};", self.finished[&to]));
        }
    }
}

/// A name like the canonical path of a pointer: `p_next` for `arg.p[0].next`.
fn identifier(path: &AccessPath) -> String {
    let mut wish = match path.root() {
        PathRoot::Argument(name)
        | PathRoot::Global(name)
        | PathRoot::Stub(name)
        | PathRoot::File(name)
        | PathRoot::Marked(name) => &**name,
        PathRoot::Stdin => "stdin",
        PathRoot::Argv => "argv",
    }
    .to_string();
    let mut steps = path.steps().iter().peekable();
    while let Some(step) = steps.next() {
        match step {
            PathStep::Member(name) => wish += &format!("_{name}"),
            PathStep::Index(0) if matches!(steps.peek(), Some(PathStep::Member(_))) => {}
            PathStep::Index(at) => wish += &format!("_{at}"),
            PathStep::Deref | PathStep::Call | PathStep::Repetition(_) | PathStep::Width { .. } | PathStep::Choice => {}
        }
    }
    wish
}

/// The flexible array member of a record.
pub fn flexible_member(types: &Types, ty: TypeId) -> Option<&Field> {
    let TypeKind::Record(record) = types.kind(ty) else { return None };
    let last = record.fields.last().filter(|_| !record.is_union)?;
    matches!(types.kind(last.ty), TypeKind::Array { count: None, .. }).then_some(last)
}

fn declare_array(element: &str, name: &str, count: u64) -> String {
    spelling::declare(element, &format!("{name}[{count}]"))
}

fn declare_pointer(element: &str, name: &str) -> String {
    spelling::declare(element, &format!("*{name}"))
}
