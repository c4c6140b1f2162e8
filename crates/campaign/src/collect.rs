//! Events of an exploration become tests and alarms: a run is kept when it covers something new or raises a new alarm.

use crate::alarms;
use crate::carved::Carved;
use crate::executor::SharedBlueprint;
use crate::hunt::{Sought, chain};
use crate::judge::{Judge, Wrong};
use crate::told;
use covet_abi::event::{Concretization, Kind};
use covet_abi::missing;
use covet_abi::termination::Termination;
use covet_coverage::Covered;
use covet_explore::{Execution, Ran};
use covet_input::{AccessPath, Touched, Value, ValueKind, VarId, Variables};
use covet_project::{Entry, Prepared, Symbols};
use covet_results::{Alarm, AlarmKind, Deciding, Frame, Test, TestOutcome, Told, Verdict};
use covet_sites::cfg::loop_line;
use covet_sites::{FunctionNumber, SiteMap};
use covet_source::{Function, TypeKind, Types};
use covet_unit::{Assumed, Seen, Shape};
use std::collections::BTreeMap;
use std::sync::PoisonError;

/// What is kept of one exploration.
pub struct Collected {
    pub tests: Vec<Test>,
    pub alarms: Vec<Alarm>,
    pub covered: Covered,
    /// Runs that ended in a crash, kept or not.
    pub crashes: u64,
    pub timeouts: u64,
}

/// Keeps runs of one function.
pub struct Collector<'a> {
    function: &'a Function,
    number: FunctionNumber,
    types: &'a Types,
    map: &'a SiteMap,
    blueprint: SharedBlueprint<'a>,
    symbols: &'a Symbols,
    judge: Judge<'a>,
    collected: Collected,
    /// How many of the tests were told.
    told: usize,
    /// Reached by runs that ended well.
    reached_well: Covered,
    /// Index of the alarm of each kind and place: file, line, and the column of a pointer.
    known: BTreeMap<(AlarmKind, String, u32, u32), usize>,
    /// What the program's own variables start with, as far as they are input.
    initial: BTreeMap<VarId, u128>,
    /// States that calls of the function were seen to begin in.
    pub carved: Carved,
}

impl<'a> Collector<'a> {
    pub fn new(
        prepared: &'a Prepared,
        Entry { function, number }: Entry<'a>,
        blueprint: SharedBlueprint<'a>,
        symbols: &'a Symbols,
        judge: Judge<'a>,
    ) -> Collector<'a> {
        let collected =
            Collected { tests: vec![], alarms: vec![], covered: Covered::default(), crashes: 0, timeouts: 0 };
        let (types, map) = (&prepared.program.types, &*prepared.map);
        let reached_well = Covered::default();
        let (known, initial) = Default::default();
        let told = 0;
        let carved = Carved::default();
        Collector {
            function,
            number,
            types,
            map,
            blueprint,
            symbols,
            judge,
            collected,
            told,
            reached_well,
            known,
            initial,
            carved,
        }
    }

    pub fn take(&mut self, ran: &Ran<'_>) {
        let execution = ran.execution;
        if self.initial.is_empty() {
            self.initial = globals(execution, ran.variables).filter(|(id, _)| ran.given.get(*id).is_none()).collect();
        }
        if execution.termination == Termination::AssumptionFailed {
            return;
        }
        if self.stands_in(ran) {
            return;
        }
        let news = self.collected.covered.merge(execution.covered.iter().copied());
        let kind = alarms::kind(execution);
        self.collected.timeouts += u64::from(execution.termination == Termination::TimedOut);
        self.collected.crashes += u64::from(kind.is_some() && execution.termination != Termination::TimedOut);
        let is_fine = kind.is_none();
        // What nobody defines is told once for the whole program.
        let kind = kind.filter(|_| !missing::is_call(execution.fault) && !self.is_past_limits(ran));
        let (alarm, is_new_alarm) = kind.map_or((None, false), |kind| self.alarm(kind, ran));
        // A crash leaves the rest of its block undone: what only crashes have reached is news in a run that ends well.
        let ends_well = is_fine && !self.reached_well.merge(execution.covered.iter().copied()).is_empty();
        if news.is_empty() && !ends_well && alarm.is_none() {
            return;
        }
        let test = self.test(ran, alarm);
        let is_simpler = !is_new_alarm && kind.is_some_and(|kind| self.is_simpler(kind, &test, ran));
        if news.is_empty() && !ends_well && !is_new_alarm && !is_simpler {
            return;
        }
        self.collected.tests.push(test);
    }

    /// Whether a run ended where a limit of inputs has ended an object.
    fn is_past_limits(&self, ran: &Ran<'_>) -> bool {
        let blueprint = self.blueprint.lock().unwrap_or_else(PoisonError::into_inner);
        ran.execution.fault != 0 && blueprint.is_past_limits(ran.variables, ran.given, ran.execution.fault)
    }

    /// A run that did what another one had done, with values that show more of it, becomes its test.
    fn stands_in(&mut self, ran: &Ran<'_>) -> bool {
        let Some(other) = ran.varies.map(|run| self.test_id(run)) else { return false };
        let Some(at) = self.collected.tests.iter().position(|test| test.id == other) else { return false };
        let test = self.test(ran, None);
        let replaced = &mut self.collected.tests[at];
        let is_same = test.covers == replaced.covers && test.outcome == replaced.outcome && replaced.alarm.is_none();
        if is_same {
            *replaced = Test { id: other, ..test };
        }
        is_same
    }

    /// Whether a run shows a known alarm with less to read than the one it is told by, and with no more guesses; the alarm is then told by
    /// this run.
    fn is_simpler(&mut self, kind: AlarmKind, test: &Test, ran: &Ran<'_>) -> bool {
        let size = covet_suite::minimal::size;
        let Some(known) = test.alarm else { return false };
        let alarm = &self.collected.alarms[known];
        let told = self.collected.tests.iter().find(|other| Some(&other.id) == alarm.test.as_ref());
        if told.is_some_and(|told| size(told) <= size(test)) {
            return false;
        }
        let (guesses, stack) = (alarm.assumptions.len(), self.symbols.stack(&ran.execution.frames));
        let judged = self.judge(kind, &stack, ran);
        let is_told = judged.0.assumptions.len() <= guesses;
        if is_told {
            self.tell(known, judged, stack, ran);
        }
        is_told
    }

    /// A known alarm is told by this run.
    fn tell(&mut self, known: usize, (assumed, verdict): (Assumed, Verdict), stack: Vec<Frame>, ran: &Ran<'_>) {
        let (test, deciding) = (Some(self.test_id(ran.number)), self.deciding(ran));
        let chain = chain::of(self.map, &stack, ran);
        let (assumptions, told) = told_of(assumed);
        let way = covet_explore::way(&ran.execution.path, self.map);
        let alarm = &mut self.collected.alarms[known];
        (alarm.assumptions, alarm.verdict, alarm.stack, alarm.test) = (assumptions, verdict, stack, test);
        alarm.told = Told { deciding, chain, way, ..told };
    }

    /// The tests kept since the last time, with all alarms; none when there are none.
    pub fn news(&mut self) -> Option<(Vec<Test>, Vec<Alarm>)> {
        let new = self.collected.tests[self.told..].to_vec();
        self.told = self.collected.tests.len();
        (!new.is_empty()).then(|| (new, self.collected.alarms.clone()))
    }

    /// Whether runs have shown all of these, with no more guesses than need be.
    pub fn shows_all(&self, sought: &[Sought]) -> bool {
        let shows = |sought: &Sought| {
            self.collected.alarms.iter().any(|alarm| sought.is(alarm) && alarm.verdict != Verdict::Latent)
        };
        sought.iter().all(shows)
    }

    pub fn covered(&self) -> &Covered {
        &self.collected.covered
    }

    pub fn finish(self) -> Collected {
        self.collected
    }

    fn alarm(&mut self, kind: AlarmKind, ran: &Ran<'_>) -> (Option<usize>, bool) {
        let execution = ran.execution;
        let stack = self.symbols.stack(&execution.frames);
        let endless = if execution.termination == Termination::TimedOut { self.endless_loop(&stack) } else { None };
        let place = endless.as_ref().or(stack.iter().find(|frame| frame.line != 0));
        let column = place.map_or(0, |frame| frame.column);
        let (file, line, function) = match place {
            Some(frame) => (frame.file.clone(), frame.line, frame.function.clone()),
            None => self.last_place(execution),
        };
        let place = Alarm { file: file.clone(), line, column, ..Alarm::new(kind) };
        let key = (kind, file.clone(), line, place.pointer_column());
        if let Some(&known) = self.known.get(&key) {
            return (Some(known), self.is_better(known, kind, &stack, ran));
        }
        let (assumed, verdict) = self.judge(kind, &stack, ran);
        let (assumptions, told) = told_of(assumed);
        let chain = chain::of(self.map, &stack, ran);
        let index = self.collected.alarms.len();
        self.known.insert(key, index);
        self.collected.alarms.push(Alarm {
            function,
            file,
            line,
            column,
            assumptions,
            verdict,
            stack,
            test: Some(self.test_id(ran.number)),
            told: Told {
                deciding: self.deciding(ran),
                chain,
                way: covet_explore::way(&execution.path, self.map),
                ..told
            },
            ..Alarm::new(kind)
        });
        (Some(index), true)
    }

    /// The program dies before anything is entered.
    pub fn died(&mut self, alarm: Alarm) {
        self.collected.crashes += 1;
        self.collected.alarms.push(alarm);
    }

    /// Whether a run shows a known alarm with fewer guesses; the alarm is then told by this run.
    fn is_better(&mut self, known: usize, kind: AlarmKind, stack: &[Frame], ran: &Ran<'_>) -> bool {
        let guesses = self.collected.alarms[known].assumptions.len();
        if guesses == 0 {
            return false;
        }
        let judged = self.judge(kind, stack, ran);
        if judged.0.assumptions.len() >= guesses {
            return false;
        }
        self.tell(known, judged, stack.to_vec(), ran);
        true
    }

    /// The inputs that a run went wrong by.
    fn deciding(&self, ran: &Ran<'_>) -> Vec<Deciding> {
        let blueprint = self.blueprint.lock().unwrap_or_else(PoisonError::into_inner);
        let shape = blueprint.shape(ran.variables, ran.given);
        told::deciding(ran, |name| shape.name(name))
    }

    /// The guesses about the input that an alarm depends on, and what may be thought of it before it was tried natively.
    fn judge(&self, kind: AlarmKind, stack: &[Frame], ran: &Ran<'_>) -> (Assumed, Verdict) {
        let (mut assumed, verdict) = self.judge_input(kind, stack, ran);
        let Some(handler) = self.judge.ends_on_purpose(kind, stack) else { return (assumed, verdict) };
        assumed.is_deliberate = true;
        assumed.assumptions.push(format!("{handler}, which always ends the program, is called by mistake"));
        (assumed, Verdict::Latent)
    }

    /// The same as far as the input is concerned.
    fn judge_input(&self, kind: AlarmKind, stack: &[Frame], ran: &Ran<'_>) -> (Assumed, Verdict) {
        let blueprint = self.blueprint.lock().unwrap_or_else(PoisonError::into_inner);
        // Pointers, lengths and states that a call was seen to have are no guesses.
        let is_seen = !self.carved.is_empty() && {
            let shape = blueprint.shape_seen(ran.variables, ran.given, seen(ran.execution));
            self.carved.has(ran.variables, &shape, &ran.execution.input, &self.initial)
        };
        if is_seen {
            let reasons = vec!["a call was seen to begin in this state".to_string()];
            return (Assumed { reasons, ..Assumed::default() }, Verdict::Likely);
        }
        let (assumed, verdict) = self.judge.judge(&blueprint, &Wrong { kind, ran, stack, initial: &self.initial });
        (assumed, if blueprint.is_mistyped() { Verdict::Latent } else { verdict })
    }

    /// The innermost frame that is in a loop, at the loop's first line.
    fn endless_loop(&self, stack: &[Frame]) -> Option<Frame> {
        stack.iter().find_map(|frame| {
            let mut functions = self.map.functions.iter().filter(|function| !function.is_model);
            let function = functions.find(|function| function.name == frame.function)?;
            loop_line(function, frame.line).map(|line| Frame { line, ..frame.clone() })
        })
    }

    /// Without a call stack: the last decision of the run, or else the function itself.
    fn last_place(&self, execution: &Execution) -> (String, u32, String) {
        let site_of = |condition: &covet_path::Condition| self.map.sites.get(condition.site.index());
        let users = |site: &&covet_sites::SiteInfo| !self.map.functions[site.function.index()].is_model;
        // Checks and what was made concrete have no site of their own.
        let is_decision =
            |condition: &&covet_path::Condition| matches!(condition.kind, Kind::Branch | Kind::Switch | Kind::Target);
        let decisions = execution.path.conditions.iter().rev().filter(is_decision);
        match decisions.filter_map(site_of).find(users) {
            Some(site) => {
                let function = &self.map.functions[site.function.index()];
                let is_endless = execution.termination == Termination::TimedOut;
                let line = loop_line(function, site.line).filter(|_| is_endless).unwrap_or(site.line);
                (site.file.clone(), line, function.name.clone())
            }
            None => (self.function.file.to_string_lossy().into_owned(), self.function.line, self.function.name.clone()),
        }
    }

    fn test(&self, ran: &Ran<'_>, alarm: Option<usize>) -> Test {
        let execution = ran.execution;
        let (outcome, exit_code) = match execution.termination {
            Termination::Returned => (TestOutcome::Returned, None),
            Termination::Exited if execution.is_cut => (TestOutcome::Cut, Some(execution.code)),
            Termination::Exited => (TestOutcome::Exited, Some(execution.code)),
            Termination::TimedOut => (TestOutcome::Timeout, None),
            Termination::Violated => (TestOutcome::Violated, None),
            Termination::Signalled
            | Termination::Aborted
            | Termination::AssertFailed
            | Termination::ErrorReached
            | Termination::StackOverflow
            | Termination::OutOfMemory
            | Termination::AssumptionFailed
            | Termination::WorkerLost => (TestOutcome::Crashed, None),
        };
        let blueprint = self.blueprint.lock().unwrap_or_else(PoisonError::into_inner);
        let shape = blueprint.shape_seen(ran.variables, ran.given, seen(execution));
        Test {
            file: self.function.file.to_string_lossy().into_owned(),
            outcome,
            exit_code,
            signal: alarms::native_signal(execution),
            returned: self.returned(execution),
            inputs: self.inputs(ran, &shape),
            pointers: shape.pointers,
            covers: execution.covered.clone(),
            alarm,
            ..Test::new(self.test_id(ran.number), &self.function.name)
        }
    }

    /// The input of a run by name, without what the program has anyway.
    fn inputs(&self, ran: &Ran<'_>, shape: &Shape) -> Vec<(String, Value)> {
        let is_as_ever = |id: &VarId| {
            ran.variables.held().contains(id) && self.initial.get(id).copied() == ran.execution.input.get(*id)
        };
        named_inputs(ran.execution, ran.variables, shape, is_as_ever)
    }

    /// A provisional id, another one in every unit; the minimal suite renumbers.
    fn test_id(&self, run: u32) -> String {
        format!("{}#run-{run}", self.number)
    }

    /// What the function returned, where that is a number and not an address.
    fn returned(&self, execution: &Execution) -> Option<Value> {
        if execution.termination != Termination::Returned {
            return None;
        }
        let (width, kind) = self.scalar(self.function.result)?;
        let mask = u128::MAX >> (128 - u32::from(width));
        Some(Value { bits: u128::from(execution.returned) & mask, width, kind })
    }

    fn scalar(&self, ty: covet_source::TypeId) -> Option<(u16, ValueKind)> {
        match self.types.kind(ty) {
            TypeKind::Bool => Some((8, ValueKind::Bool)),
            TypeKind::Char { signed } => Some((8, if *signed { ValueKind::Char } else { ValueKind::Byte })),
            TypeKind::Int { signed, width } if *width <= 64 => {
                Some((*width as u16, if *signed { ValueKind::Signed } else { ValueKind::Unsigned }))
            }
            TypeKind::Float { width: width @ (32 | 64) } => Some((*width as u16, ValueKind::Float)),
            TypeKind::Enum(of) => self.scalar(of.underlying),
            TypeKind::Void
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => None,
        }
    }
}

/// The guesses, and what else is to be told: the reasons for what is no guess as one text.
fn told_of(assumed: Assumed) -> (Vec<String>, Told) {
    let Assumed { assumptions, reasons, is_unchecked, needs_state, is_data, is_deliberate, is_by_number, inside } =
        assumed;
    let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    (
        assumptions,
        Told { reason, is_unchecked, needs_state, is_data, is_deliberate, is_by_number, inside, ..Told::default() },
    )
}

/// The program's own variables that are input, with the values that a run had there.
fn globals(execution: &Execution, variables: &Variables) -> impl Iterator<Item = (VarId, u128)> {
    let is_global = |id: &&VarId| AccessPath::from(variables.get(**id).name.as_str()).root().as_global().is_some();
    execution.order.iter().filter(is_global).filter_map(|id| Some((*id, execution.input.get(*id)?)))
}

/// What a run saw of its input, as far as that is known.
fn seen(execution: &Execution) -> Seen<'_> {
    // Where tracking stopped early, nobody has watched the rest.
    let touched = if execution.is_truncated { &Touched::All } else { &execution.touched };
    let outside =
        [Concretization::External, Concretization::Output, Concretization::InlineAsm, Concretization::Threads];
    let by_others = outside.iter().any(|reason| execution.concretised.contains_key(reason.text()));
    Seen { touched, by_others }
}

/// Above so many inputs of a run, parts of arguments that are zero, as they would be anyway, are not told.
const MANY: usize = 256;

/// The input of a run by name, in order of first use. Choices of pointers are told by the shape.
pub fn named_inputs(
    execution: &Execution,
    variables: &Variables,
    shape: &Shape,
    is_left_out: impl Fn(&VarId) -> bool,
) -> Vec<(String, Value)> {
    let tells_all = execution.order.len() <= MANY;
    let named = |id: &VarId| {
        if is_left_out(id) {
            return None;
        }
        let variable = variables.get(*id);
        let bits = execution.input.get(*id)?;
        // That an allocation succeeds goes without saying.
        if bits == 0 && covet_input::allocation(&variable.name).is_some() {
            return None;
        }
        let is_argument = || AccessPath::from(variable.name.as_str()).root().as_argument().is_some();
        if !tells_all && bits == 0 && variable.default == 0 && is_argument() {
            return None;
        }
        if !shape.has_seen(*id) {
            return None;
        }
        let is_choice = match variable.kind {
            ValueKind::Function | ValueKind::Growth => true,
            ValueKind::Pointer => variable.width < 8,
            ValueKind::Signed | ValueKind::Unsigned | ValueKind::Float => false,
            ValueKind::Char | ValueKind::Byte | ValueKind::Bool => false,
        };
        let value = Value { bits, width: variable.width, kind: variable.kind };
        (!is_choice).then(|| (shape.name(&variable.name), value))
    };
    execution.order.iter().filter_map(named).collect()
}
