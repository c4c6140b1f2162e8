//! What all bodies of a program say → which pointers may be NULL, and what makes one think so.
//!
//! A pointer may be NULL where somebody asks whether it is, hands NULL over or stores what may be NULL there. What is merely possible in C is no reason. A test
//! right after a store is about what was stored, an assertion says the contrary, and a guard around `free` is about an object that is on its way out.

mod company;
mod numbers;

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{Call, Compared, Facts, Mark, Spot, Store};
use crate::given::Given;
use crate::ranges::Range;
use crate::reach::find;
use crate::types::TypeId;
use crate::unit::{Function, Unit};

/// What all calls of a function pass for a number, in words.
pub enum Passes {
    /// How long an array is that they pass beside it.
    Length(String),
    /// One of a few constants.
    Constants(String),
}

/// Calls followed from one reason to the next at most.
const DEEPEST: u32 = 4;

/// Functions of the library that give NULL when they fail or find nothing.
const MAY_GIVE_NULL: [&str; 38] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "strdup",
    "strndup",
    "fopen",
    "fdopen",
    "freopen",
    "popen",
    "tmpfile",
    "opendir",
    "readdir",
    "getenv",
    "secure_getenv",
    "strchr",
    "strrchr",
    "strstr",
    "strcasestr",
    "strpbrk",
    "strtok",
    "strtok_r",
    "memchr",
    "memrchr",
    "memmem",
    "fgets",
    "bsearch",
    "localtime",
    "gmtime",
    "getpwnam",
    "getpwuid",
    "getgrnam",
    "gethostbyname",
    "dlopen",
    "dlsym",
    "realpath",
    "getcwd",
];

/// Those of them that give memory.
const ALLOCATORS: [&str; 7] = ["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "strdup", "strndup"];

/// A function of a unit, by the unit's number.
#[derive(Clone, Copy)]
struct Body<'p> {
    unit: usize,
    function: &'p Function,
}

impl<'p> Body<'p> {
    fn facts(self) -> &'p Facts {
        &self.function.facts
    }

    /// `parse.c:40`
    fn place(self, line: u32) -> String {
        place(self.function, line)
    }
}

/// A line of a function's file, as people write it.
pub fn place(function: &Function, line: u32) -> String {
    let name = function
        .file
        .file_name()
        .map_or_else(|| function.file.display().to_string(), |name| name.to_string_lossy().into_owned());
    format!("{name}:{line}")
}

/// The program's reasons.
pub struct Beliefs<'p> {
    units: Vec<&'p Unit>,
    calls: BTreeMap<&'p str, Vec<(Body<'p>, &'p Call)>>,
    stores: BTreeMap<&'p Spot, Vec<(Body<'p>, &'p Store)>>,
    /// Tests of what outlives a body, other than of what it has just stored there.
    tests: BTreeMap<&'p Spot, (Body<'p>, u32)>,
    /// Where numbers that outlive a body decide something.
    compared: BTreeMap<&'p Spot, Vec<(Body<'p>, &'p Compared)>>,
    indexed: BTreeSet<(&'p Spot, &'p Spot)>,
}

impl<'p> Beliefs<'p> {
    pub fn new(units: Vec<&'p Unit>) -> Beliefs<'p> {
        let mut beliefs = Beliefs {
            units,
            calls: BTreeMap::new(),
            stores: BTreeMap::new(),
            tests: BTreeMap::new(),
            compared: BTreeMap::new(),
            indexed: BTreeSet::new(),
        };
        for unit in 0..beliefs.units.len() {
            let functions = beliefs.units[unit].functions.iter().filter(|function| function.has_body);
            for function in functions {
                beliefs.add(Body { unit, function });
            }
        }
        beliefs
    }

    fn add(&mut self, body: Body<'p>) {
        let Facts { tests, stores, calls, compared, indexed, .. } = body.facts();
        let lasting = indexed.iter().filter(|(pointer, index)| outlives(pointer) && outlives(index));
        self.indexed.extend(lasting.map(|(pointer, index)| (pointer, index)));
        for compared in compared.iter().filter(|compared| outlives(&compared.mark.spot)) {
            self.compared.entry(&compared.mark.spot).or_default().push((body, compared));
        }
        for call in calls {
            self.calls.entry(&call.callee).or_default().push((body, call));
        }
        for store in stores.iter().filter(|store| outlives(&store.to)) {
            self.stores.entry(&store.to).or_default().push((body, store));
        }
        for test in tests.iter().filter(|test| outlives(&test.spot)) {
            let is_new = stores.iter().any(|store| store.to == test.spot && store.order < test.order);
            if !is_new {
                self.tests.entry(&test.spot).or_insert((body, test.line));
            }
        }
    }

    /// Why a parameter of a function may be NULL; none when nothing suggests it.
    pub fn parameter(&self, function: &Function, name: &str) -> Option<String> {
        let body = self.body(function)?;
        let spot = Spot::Local(name.to_owned());
        self.tested(body, &spot).or_else(|| {
            let position = function.parameters.iter().position(|parameter| parameter.name == name)?;
            self.handed_null(body, position, DEEPEST).or_else(|| self.by_company(function, position))
        })
    }

    /// Why a member, a global or an element of either may be NULL; none when nothing suggests it.
    pub fn lasting(&self, spot: &Spot) -> Option<String> {
        self.lasting_within(spot, DEEPEST)
    }

    /// Why what a variable of a body holds may be NULL: the body asks for it before it changes it.
    pub fn variable(&self, function: &Function, spot: &Spot) -> Option<String> {
        self.tested(self.body(function)?, spot)
    }

    /// The pointer that is followed at a place of a function, or handed to a function of the library that follows it.
    pub fn followed(&self, function: &'p Function, line: u32, column: u32) -> Option<&'p Spot> {
        let here = || function.facts.followed.iter().filter(|mark| mark.line == line);
        let exact = here().find(|mark| mark.column == column).map(|mark| &mark.spot);
        let written = || {
            let is_here = |(_, at): &&(Spot, Range)| {
                ((at.line, at.column)..(at.end_line, at.end_column)).contains(&(line, column))
            };
            function.facts.written.iter().find(is_here).map(|(spot, _)| spot)
        };
        let handed = || {
            let unit = self.body(function)?.unit;
            let calls = function.facts.calls.iter().filter(|call| (call.line, call.column) == (line, column));
            let outside = calls.filter(|call| find(&self.units, unit, &call.callee).is_none());
            let pointers = outside.flat_map(|call| call.pointers.iter().map(|at| &call.arguments[*at]));
            pointers.into_iter().find_map(|given| match given {
                Given::From(spot) => Some(spot),
                _ => None,
            })
        };
        // Places inside of macros are not exact.
        let only = || here().next().map(|mark| &mark.spot).filter(|spot| here().all(|mark| mark.spot == **spot));
        exact.or_else(written).or_else(handed).or_else(only)
    }

    /// The function of this name in this file.
    pub fn function(&self, name: &str, file: &str) -> Option<&'p Function> {
        let mut all = self
            .units
            .iter()
            .flat_map(|unit| &unit.functions)
            .filter(|function| function.has_body && function.name == name);
        let (first, second) = (all.next()?, all.next());
        match second {
            None => Some(first),
            Some(_) => self
                .units
                .iter()
                .flat_map(|unit| &unit.functions)
                .find(|function| function.has_body && function.name == name && function.file.ends_with(file)),
        }
    }

    /// How many results of allocations are tested where they are stored, and how many are stored.
    pub fn checked_allocations(&self) -> (usize, usize) {
        let bodies = self.units.iter().flat_map(|unit| &unit.functions).filter(|function| function.has_body);
        let mut seen = BTreeSet::new();
        let (mut checked, mut all) = (0, 0);
        // A function in a header has a body in many units.
        for function in bodies.filter(|function| seen.insert((&function.file, function.line))) {
            let Facts { tests, stores, asserted, .. } = &function.facts;
            let is_allocation =
                |store: &&Store| matches!(&store.value, Given::Result(callee) if ALLOCATORS.contains(&callee.as_str()));
            for store in stores.iter().filter(is_allocation) {
                // `if ((p = malloc(n)) == NULL)` tests before it stores.
                let is_after = |test: &Mark| test.order > store.order || test.line == store.line;
                all += 1;
                checked +=
                    usize::from(tests.iter().chain(asserted).any(|test| test.spot == store.to && is_after(test)));
            }
        }
        (checked, all)
    }

    /// Where something else than NULL is stored in a global.
    pub fn filled(&self, global: &str) -> Option<String> {
        let stores = self.stores.get(&Spot::Global(global.to_owned()))?;
        let (body, store) = stores.iter().find(|(_, store)| store.value != Given::Null)?;
        Some(format!("`{}` sets it ({})", body.function.name, body.place(store.line)))
    }

    /// The type of a global.
    pub fn type_of_global(&self, name: &str) -> Option<TypeId> {
        let mut globals = self.units.iter().flat_map(|unit| &unit.globals);
        globals.find(|global| global.name == name).map(|global| global.ty)
    }

    /// Where calls in the program read what they pass for a parameter.
    pub fn handed(&self, function: &Function, parameter: &str) -> Vec<Spot> {
        let position = function.parameters.iter().position(|own| own.name == parameter);
        let Some((position, body)) = position.zip(self.body(function)) else { return Vec::new() };
        let given = self.callers(body).filter_map(|(_, call)| call.arguments.get(position));
        let read = given.filter_map(|given| match given {
            Given::From(spot) if outlives(spot) => Some(spot.clone()),
            _ => None,
        });
        read.collect()
    }

    /// What callers keep about a number that they pass, and where: it says how many elements another argument has, or it is one of a few constants. Others than these
    /// callers may keep the former too, but not the latter.
    pub fn passes_only(&self, function: &Function, position: usize, value: i64) -> Option<Passes> {
        let body = self.body(function)?;
        let calls: Vec<(Body<'p>, &Call)> = self.callers(body).collect();
        let numbers = calls.iter().map(|(_, call)| match call.arguments.get(position) {
            Some(Given::Number(number)) => Some(*number),
            _ => None,
        });
        let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
        let (from, call) = calls.first().filter(|_| !numbers.contains(&value))?;
        let place = from.place(call.line);
        let is_length = |pointer: &usize| {
            calls.iter().zip(&numbers).all(|((_, call), number)| match call.arguments.get(*pointer) {
                Some(Given::Array(elements)) => {
                    u64::try_from(*number).is_ok_and(|number| *elements > 1 && number == *elements)
                }
                _ => false,
            })
        };
        if let Some(pointer) = (0..function.parameters.len()).find(is_length) {
            let name = &function.parameters[pointer].name;
            return Some(Passes::Length(format!("calls pass the length of `{name}` ({place})")));
        }
        function.is_static.then(|| Passes::Constants(format!("calls pass other numbers ({place})")))
    }

    /// A call that gives the function an array of fewer elements than it says.
    pub fn short(&self, function: &Function, pointer: usize, count: usize) -> Option<String> {
        let body = self.body(function)?;
        self.callers(body).find_map(|(from, call)| match (call.arguments.get(pointer)?, call.arguments.get(count)?) {
            (Given::Array(elements), Given::Number(said))
                if u64::try_from(*said).is_ok_and(|said| said > *elements) =>
            {
                Some(format!("{} passes {elements} elements and {said}", from.place(call.line)))
            }
            _ => None,
        })
    }

    /// The member of the same record whose array a member is made to point into, and where.
    pub fn base(&self, spot: &Spot) -> Option<(String, String)> {
        let Spot::Member { record, .. } = spot else { return None };
        let stores = self.stores.get(spot)?;
        stores.iter().find_map(|(body, store)| match &store.value {
            Given::From(Spot::Member { record: of, field }) | Given::Inside(Spot::Member { record: of, field })
                if of == record
                    && store.value != Given::From(spot.clone())
                    && store.value != Given::Inside(spot.clone()) =>
            {
                Some((field.clone(), body.place(store.line)))
            }
            _ => None,
        })
    }

    /// Where one member of a record is used as an index of another.
    pub fn is_index(&self, pointer: &Spot, index: &Spot) -> bool {
        self.indexed.contains(&(pointer, index))
    }

    /// Everything that is stored in a spot that outlives bodies: the function, the line, and what.
    pub fn stored(&self, spot: &Spot) -> Vec<(&'p Function, &'p Store)> {
        self.stores
            .get(spot)
            .map_or_else(Vec::new, |all| all.iter().map(|(body, store)| (body.function, *store)).collect())
    }

    fn body(&self, function: &Function) -> Option<Body<'p>> {
        self.units.iter().enumerate().find_map(|(unit, model)| {
            let own = model
                .functions
                .iter()
                .find(|own| own.has_body && own.name == function.name && own.file == function.file)?;
            Some(Body { unit, function: own })
        })
    }

    /// Direct calls of a function, as each unit means its name.
    fn callers(&self, body: Body<'p>) -> impl Iterator<Item = (Body<'p>, &'p Call)> {
        let all = self.calls.get(body.function.name.as_str()).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(move |(from, call)| {
            find(&self.units, from.unit, &call.callee).is_some_and(|(_, found)| found.file == body.function.file)
        })
    }

    fn tested(&self, body: Body<'p>, spot: &Spot) -> Option<String> {
        let Facts { tests, stores, .. } = body.facts();
        let first = stores.iter().filter(|store| store.to == *spot).map(|store| store.order).min().unwrap_or(u32::MAX);
        let test = tests.iter().find(|test| test.spot == *spot && test.order < first)?;
        Some(format!("{} tests it", body.place(test.line)))
    }

    fn handed_null(&self, body: Body<'p>, position: usize, depth: u32) -> Option<String> {
        self.callers(body).find_map(|(from, call)| {
            let why = self.may_be_null(from, call.arguments.get(position)?, depth.checked_sub(1)?)?;
            Some(format!("{} passes {why}", from.place(call.line)))
        })
    }

    fn lasting_within(&self, spot: &Spot, depth: u32) -> Option<String> {
        if let Some((body, line)) = self.tests.get(spot) {
            return Some(format!("{} tests it", body.place(*line)));
        }
        let stores = self.stores.get(spot)?;
        stores.iter().find_map(|(body, store)| {
            // After a release nobody is to look at it, and what is tested there is not left NULL.
            let Facts { released, tests, .. } = body.facts();
            let is_checked = tests.iter().any(|test| test.spot == *spot && test.order > store.order);
            // NULL that nobody ever asks for is there before the object is finished.
            if released.contains(spot) || is_checked || store.value == Given::Null {
                return None;
            }
            let why = self.may_be_null(*body, &store.value, depth.checked_sub(1)?)?;
            Some(format!("{} stores {why} in it", body.place(store.line)))
        })
    }

    /// Why a value that a body gives away may be NULL. What the body itself tests somewhere is not.
    fn may_be_null(&self, body: Body<'p>, given: &Given, depth: u32) -> Option<String> {
        let Facts { tests, stores, .. } = body.facts();
        let is_tested = |spot: &Spot| tests.iter().chain(&body.facts().asserted).any(|test| test.spot == *spot);
        match given {
            Given::Null => Some("NULL".into()),
            Given::Result(callee) => self.gives_null(body, callee, depth),
            Given::From(spot) if is_tested(spot) => None,
            Given::From(spot @ Spot::Local(name)) => {
                let own: Vec<&Store> = stores.iter().filter(|store| store.to == *spot).collect();
                if own.is_empty() {
                    let position = body.function.parameters.iter().position(|parameter| parameter.name == *name)?;
                    let why = self.handed_null(body, position, depth.checked_sub(1)?)?;
                    return Some(format!("`{name}`, which may be NULL ({why})"));
                }
                // A variable that begins as NULL and is set later is taken for set.
                let is_set_later = own.iter().any(|store| !store.is_first);
                let all = own.iter().filter(|store| !(is_set_later && store.is_first && store.value == Given::Null));
                all.clone().find_map(|store| self.may_be_null(body, &store.value, depth.checked_sub(1)?))
            }
            Given::From(spot) => {
                let why = self.lasting_within(spot, depth.checked_sub(1)?)?;
                Some(format!("`{}`, which may be NULL ({why})", text(spot)))
            }
            Given::Address
            | Given::Inside(_)
            | Given::Array(_)
            | Given::Number(_)
            | Given::Step
            | Given::Computed
            | Given::Unknown => None,
        }
    }

    /// Whether what a function gives may be NULL.
    fn gives_null(&self, from: Body<'p>, callee: &str, depth: u32) -> Option<String> {
        let Some((unit, function)) = find(&self.units, from.unit, callee) else {
            return MAY_GIVE_NULL.contains(&callee).then(|| format!("what `{callee}` gives, unchecked"));
        };
        if function.gives_something {
            return None;
        }
        let body = Body { unit, function };
        let (_, line) = function.facts.returns.iter().find(|(given, _)| self.is_returned_null(body, given, depth))?;
        Some(format!("what `{callee}` gives, which may be NULL ({})", body.place(*line)))
    }

    fn is_returned_null(&self, body: Body<'p>, given: &Given, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match given {
            Given::Null => true,
            Given::Result(callee) => self.gives_null(body, callee, depth).is_some(),
            Given::From(_) => self.may_be_null(body, given, depth).is_some(),
            Given::Address
            | Given::Inside(_)
            | Given::Array(_)
            | Given::Number(_)
            | Given::Step
            | Given::Computed
            | Given::Unknown => false,
        }
    }
}

/// A spot as people write it.
pub fn text(spot: &Spot) -> String {
    match spot {
        Spot::Local(name) | Spot::Global(name) | Spot::Member { field: name, .. } => name.clone(),
        Spot::Element(whole) => format!("{}[]", text(whole)),
    }
}

/// Whether it is there when no body is at work.
fn outlives(spot: &Spot) -> bool {
    match spot {
        Spot::Local(_) => false,
        Spot::Global(_) | Spot::Member { .. } => true,
        Spot::Element(whole) => outlives(whole),
    }
}
