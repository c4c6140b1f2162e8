//! The body of a function → what it says of its pointers and numbers: which of them it tests, follows, stores, returns and hands on.
//!
//! Everything is numbered in the order of the text, because what is tested right after it was stored says something about what was stored there, not
//! about what was there before.

use std::collections::BTreeSet;

use crate::clang::{Cursor, CursorKind, Place, Shape};
use crate::given::{Given, arms, given};
use crate::lower::lower;
use crate::ranges::Range;
use crate::types::{TypeId, Types};

/// What holds a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// A parameter or a variable of the body.
    Local(String),
    Global(String),
    Member {
        record: TypeId,
        field: String,
    },
    /// What is behind a pointer or in an array, if that is no member.
    Element(Box<Spot>),
}

/// A place where something happens to a spot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub spot: Spot,
    pub line: u32,
    pub column: u32,
    pub order: u32,
}

/// A number that decides something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    pub mark: Mark,
    /// The constant that it is asked to be, or not to be; none where its size or another number decides.
    pub equal_to: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    pub to: Spot,
    pub value: Given,
    pub line: u32,
    pub order: u32,
    /// Where a variable begins: what is stored later counts more.
    pub is_first: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub callee: String,
    pub arguments: Vec<Given>,
    /// Which of them are pointers.
    pub pointers: Vec<usize>,
    pub line: u32,
    pub column: u32,
    pub order: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Pointers that are asked whether they are NULL, other than to state that they are not, or to release what they point at.
    pub tests: Vec<Mark>,
    /// Numbers that decide something.
    pub compared: Vec<Compared>,
    /// Pointers that are followed.
    pub followed: Vec<Mark>,
    /// Those that are followed to be written behind: between the end of what is assigned to and the start of its value is the operator, where that goes wrong.
    pub written: Vec<(Spot, Range)>,
    pub stores: Vec<Store>,
    pub calls: Vec<Call>,
    pub returns: Vec<(Given, u32)>,
    /// Pointers or arrays, and numbers that they are indexed with.
    pub indexed: BTreeSet<(Spot, Spot)>,
    /// What assertions are about, by line.
    pub asserted: Vec<Mark>,
    /// Pointers whose memory is given back.
    pub released: BTreeSet<Spot>,
    order: u32,
    /// Lines of assertions, and tests that only guard a release.
    assertions: BTreeSet<u32>,
    guards: BTreeSet<(u32, Spot)>,
    /// First and last lines of loops.
    loops: Vec<(u32, u32)>,
}

impl Facts {
    /// Takes in one expression or statement; they come in the order of the text.
    pub(crate) fn look_at(&mut self, cursor: Cursor<'_>, children: &[Cursor<'_>], types: &mut Types) {
        self.order += 1;
        match (cursor.kind(), children) {
            (CursorKind::Test, _) => self.test(cursor, children, types),
            (CursorKind::Comparison, [left, right]) => {
                for (one, other) in [(left, right), (right, left)] {
                    match is_pointer(*one) {
                        true if other.is_null() => self.tested(*one, types),
                        true => {}
                        false => self.compare(*one, other.simple_number().filter(|_| cursor.is_equality()), types),
                    }
                }
            }
            (CursorKind::Assignment, [to, value]) => {
                self.write(*to, *value, types);
                self.store(cursor, *to, *value, types);
            }
            (CursorKind::Change, [to, rest @ ..]) => {
                if let [value] = rest {
                    self.write(*to, *value, types);
                }
                if let Some(to) = spot(*to, types) {
                    let line = cursor.start().line;
                    self.stores.push(Store { to, value: Given::Step, line, order: self.order, is_first: false });
                }
            }
            (CursorKind::Variable, _) => {
                if let Some(value) = cursor.initializer() {
                    let (to, value) = (Spot::Local(cursor.name()), given(value, types));
                    let line = cursor.start().line;
                    self.stores.push(Store { to, value, line, order: self.order, is_first: true });
                }
            }
            (CursorKind::Return, [value]) => self.returns.push((given(*value, types), cursor.start().line)),
            (CursorKind::Call, _) => self.call(cursor, types),
            (CursorKind::Dereference, [pointer]) => self.follow(cursor, *pointer, types),
            (CursorKind::Subscript, [pointer, index]) => {
                self.follow(cursor, *pointer, types);
                if let (Some(pointer), Some(index)) = (spot(*pointer, types), spot(*index, types)) {
                    self.indexed.insert((pointer, index));
                }
            }
            (CursorKind::Member, [whole, ..]) => {
                if let Some(pointer) = pointer_to(*whole) {
                    self.follow(cursor, pointer, types);
                }
            }
            _ => {}
        }
    }

    /// All of the body was seen: tests that say nothing about callers are left out.
    pub(crate) fn settle(&mut self) {
        let (asserted, tests): (Vec<Mark>, Vec<Mark>) =
            std::mem::take(&mut self.tests).into_iter().partition(|test| self.assertions.contains(&test.line));
        let is_guard = |test: &Mark| self.guards.contains(&(test.line, test.spot.clone()));
        self.tests = tests.into_iter().filter(|test| !is_guard(test)).collect();
        let through: Vec<Mark> = self.tests.iter().flat_map(|test| self.read_from(test)).collect();
        self.tests.extend(through);
        self.asserted = asserted;
        // How often a loop goes round is no bound for the number that says so.
        let is_header = |line: u32| self.loops.iter().any(|(first, _)| *first == line);
        self.compared.retain(|compared| compared.equal_to.is_some() || !is_header(compared.mark.line));
        (self.assertions, self.guards, self.loops) = Default::default();
    }

    /// What a variable that is tested was read from, before the test or later in the same loop: the test is about that too.
    fn read_from(&self, test: &Mark) -> Vec<Mark> {
        let comes_back = |store: &Store| {
            self.loops
                .iter()
                .any(|(first, last)| [store.line, test.line].iter().all(|line| (first..=last).contains(&line)))
        };
        let own = self.stores.iter().filter(|store| store.to == test.spot && matches!(test.spot, Spot::Local(_)));
        let own = own.filter(|store| store.order < test.order || comes_back(store));
        let read = own.filter_map(|store| match &store.value {
            Given::From(spot) if *spot != test.spot => Some(Mark { spot: spot.clone(), ..test.clone() }),
            _ => None,
        });
        read.collect()
    }

    fn test(&mut self, cursor: Cursor<'_>, children: &[Cursor<'_>], types: &mut Types) {
        if cursor.is_loop() {
            self.loops.push((cursor.first().line, cursor.end().line));
        }
        for condition in cursor.conditions(children) {
            match is_pointer(condition) {
                true => self.tested(condition, types),
                false => self.compare(condition, Some(0), types),
            }
        }
        // `if (p) free(p);`, `if (is_mine && p) free(p);`
        if let (true, [condition, then]) = (cursor.is_if(), children) {
            for part in conjuncts(*condition) {
                let spot = asked(part, types).filter(|spot| releases(*then, spot, types));
                self.guards.extend(spot.map(|spot| (part.start().line, spot)));
            }
        }
    }

    fn tested(&mut self, pointer: Cursor<'_>, types: &mut Types) {
        let Some(spot) = spot(pointer, types) else { return };
        let place = pointer.start();
        self.tests.push(Mark { spot, line: place.line, column: place.column, order: self.order });
    }

    fn compare(&mut self, number: Cursor<'_>, equal_to: Option<i64>, types: &mut Types) {
        let Some(spot) = spot(number, types) else { return };
        let place = number.start();
        let mark = Mark { spot, line: place.line, column: place.column, order: self.order };
        self.compared.push(Compared { mark, equal_to });
    }

    fn follow(&mut self, cursor: Cursor<'_>, pointer: Cursor<'_>, types: &mut Types) {
        let Some(spot) = spot(pointer, types) else { return };
        let place = cursor.start();
        self.followed.push(Mark { spot, line: place.line, column: place.column, order: self.order });
    }

    fn write(&mut self, to: Cursor<'_>, value: Cursor<'_>, types: &mut Types) {
        if let Some(spot) = pointer_of(to).and_then(|pointer| spot(pointer, types)) {
            let (from, until) = (to.end(), value.first());
            let range = Range { line: from.line, column: from.column, end_line: until.line, end_column: until.column };
            self.written.push((spot, range));
        }
    }

    fn store(&mut self, cursor: Cursor<'_>, to: Cursor<'_>, value: Cursor<'_>, types: &mut Types) {
        let Some(to) = spot(to, types) else { return };
        let line = cursor.start().line;
        for arm in arms(value) {
            let value = match given(arm, types) {
                Given::Unknown | Given::Computed if mentions(arm, &to, types) => Given::Step,
                value => value,
            };
            self.stores.push(Store { to: to.clone(), value, line, order: self.order, is_first: false });
        }
    }

    fn call(&mut self, cursor: Cursor<'_>, types: &mut Types) {
        if cursor.referenced().kind() != CursorKind::Function {
            // What is called is behind a pointer, and goes wrong where that is named.
            if let Some(pointer) = cursor.children().first().map(|called| called_through(*called)) {
                self.follow(pointer, pointer, types);
            }
            return;
        }
        let Place { line, column, .. } = cursor.start();
        let callee = cursor.name();
        if is_assertion(&callee) {
            self.assertions.insert(line);
            return;
        }
        let values = cursor.arguments();
        let pointers = (0..values.len()).filter(|at| is_pointer(values[*at])).collect();
        let arguments: Vec<Given> = values.into_iter().map(|value| given(value, types)).collect();
        if is_release(&callee) {
            let spots = arguments.iter().filter_map(|given| match given {
                Given::From(spot) => Some(spot.clone()),
                _ => None,
            });
            self.released.extend(spots);
        }
        self.calls.push(Call { callee, arguments, pointers, line, column, order: self.order });
    }
}

/// The variable, member or element that an expression reads, below conversions.
pub(crate) fn spot(cursor: Cursor<'_>, types: &mut Types) -> Option<Spot> {
    let children = cursor.children();
    match cursor.kind() {
        // A cast names its type before its operand.
        CursorKind::Wrapping | CursorKind::Cast => spot(*children.last()?, types),
        // `(p = next()) == NULL`
        CursorKind::Assignment => spot(*children.first()?, types),
        CursorKind::Reference => {
            let named = cursor.referenced();
            match named.kind() {
                CursorKind::Function | CursorKind::EnumConstant => None,
                _ if named.has_linkage() => Some(Spot::Global(cursor.name())),
                _ => Some(Spot::Local(cursor.name())),
            }
        }
        CursorKind::Member => {
            let record = lower(types, cursor.referenced().parent().ty());
            Some(Spot::Member { record, field: cursor.name() })
        }
        CursorKind::Subscript | CursorKind::Dereference => {
            Some(Spot::Element(Box::new(spot(*children.first()?, types)?)))
        }
        CursorKind::Change => spot(*children.first()?, types),
        CursorKind::Union
        | CursorKind::EnumConstant
        | CursorKind::Function
        | CursorKind::Variable
        | CursorKind::Call
        | CursorKind::Comparison
        | CursorKind::Sum
        | CursorKind::Difference
        | CursorKind::AddressOf
        | CursorKind::Return
        | CursorKind::Text
        | CursorKind::Test
        | CursorKind::Switch
        | CursorKind::Case
        | CursorKind::Other => None,
    }
}

/// The pointer of `p(x)`, `(*p)(x)` and `(p)(x)`.
fn called_through(called: Cursor<'_>) -> Cursor<'_> {
    match (called.kind(), called.children().first()) {
        (CursorKind::Wrapping | CursorKind::Dereference, Some(inner)) => called_through(*inner),
        _ => called,
    }
}

/// The pointer that is followed to a place, if one is.
fn pointer_of(place: Cursor<'_>) -> Option<Cursor<'_>> {
    let inner = *place.children().first()?;
    match place.kind() {
        CursorKind::Wrapping => pointer_of(inner),
        CursorKind::Subscript | CursorKind::Dereference => Some(inner),
        CursorKind::Member => pointer_to(inner),
        _ => None,
    }
}

/// The pointer that is followed to what a member is taken of: `p` of `p->a`, `(*p).a` and `p[1].a.b`.
fn pointer_to(whole: Cursor<'_>) -> Option<Cursor<'_>> {
    if is_pointer(whole) {
        return Some(whole);
    }
    let inner = *whole.children().first()?;
    match whole.kind() {
        CursorKind::Wrapping | CursorKind::Member => pointer_to(inner),
        CursorKind::Dereference => Some(inner),
        CursorKind::Subscript => is_pointer(inner).then_some(inner),
        _ => None,
    }
}

/// Whether an expression reads a spot.
fn mentions(cursor: Cursor<'_>, of: &Spot, types: &mut Types) -> bool {
    let is_named = matches!(cursor.kind(), CursorKind::Reference | CursorKind::Member);
    is_named && spot(cursor, types).as_ref() == Some(of)
        || cursor.children().into_iter().any(|child| mentions(child, of, types))
}

/// What a condition is put together from.
fn conjuncts(condition: Cursor<'_>) -> Vec<Cursor<'_>> {
    let children = condition.children();
    match (condition.kind(), &children[..]) {
        (CursorKind::Wrapping, [inner]) => conjuncts(*inner),
        (CursorKind::Test, [left, right]) => [conjuncts(*left), conjuncts(*right)].concat(),
        _ => vec![condition],
    }
}

/// The pointer that a condition asks for NULL.
fn asked(condition: Cursor<'_>, types: &mut Types) -> Option<Spot> {
    let mut cursor = condition;
    while cursor.kind() == CursorKind::Wrapping {
        cursor = cursor.children().pop()?;
    }
    match (cursor.kind(), &cursor.children()[..]) {
        (CursorKind::Comparison, [left, right]) if right.is_null() => spot(*left, types),
        (CursorKind::Comparison, [left, right]) if left.is_null() => spot(*right, types),
        _ if is_pointer(cursor) => spot(cursor, types),
        _ => None,
    }
}

/// Whether a statement begins by giving back what a pointer points at.
fn releases(statement: Cursor<'_>, pointer: &Spot, types: &mut Types) -> bool {
    let mut cursor = statement;
    loop {
        if cursor.kind() == CursorKind::Call {
            let given = cursor.arguments();
            return is_release(&cursor.name())
                && given.iter().any(|value| spot(*value, types).as_ref() == Some(pointer));
        }
        match cursor.children().into_iter().next() {
            Some(first) => cursor = first,
            None => return false,
        }
    }
}

/// Functions that give memory or other things back, by their names.
fn is_release(name: &str) -> bool {
    const WORDS: [&str; 10] =
        ["free", "dealloc", "release", "destroy", "delete", "close", "unref", "dispose", "clear", "cleanup"];
    let name = name.to_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// What the failing arm of `assert` calls.
fn is_assertion(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("assert") || name == "__builtin_unreachable"
}

pub(crate) fn is_pointer(cursor: Cursor<'_>) -> bool {
    cursor.ty().canonical().shape() == Shape::Pointer
}
