//! A run that went wrong → what its input takes for granted, and why one may believe the rest.
//!
//! What the run depends on is read off its path condition: the check that was violated, and the decisions before it.

use crate::alarms::fault_sort;
use crate::explore::Explorer;
use crate::job::Job;
use covet_abi::event::Kind;
use covet_explore::Ran;
use covet_input::{AccessPath, PathStep, ValueKind, VarId};
use covet_project::Entry;
use covet_results::{AlarmKind, Frame, Verdict};
use covet_sites::cfg::never_returning;
use covet_sites::{FunctionNumber, SiteMap};
use covet_source::{Beliefs, Function, Spot};
use covet_unit::{Assumed, Blueprint, Fault, FaultSort, Grounds, Matter};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Judges runs of one function.
pub struct Judge<'a> {
    function: &'a Function,
    map: &'a SiteMap,
    /// None when everything that is made up counts as a guess.
    beliefs: Option<&'a Beliefs<'a>>,
    has_invariants: bool,
    nullable: Vec<AccessPath>,
    nonnull: Vec<AccessPath>,
    /// The functions that never return, once it is asked for them.
    ending: OnceCell<BTreeSet<FunctionNumber>>,
}

/// A run that went wrong.
pub struct Wrong<'r, 'a> {
    pub kind: AlarmKind,
    pub ran: &'r Ran<'a>,
    pub stack: &'r [Frame],
    /// What the program's own variables start with.
    pub initial: &'r BTreeMap<VarId, u128>,
}

impl<'a> Judge<'a> {
    pub fn new(explorer: &'a Explorer<'a>, job: &Job, entry: Entry<'a>) -> Judge<'a> {
        let paths = |said: &[String]| said.iter().map(|path| AccessPath::of_argument(path)).collect();
        Judge {
            function: entry.function,
            map: &explorer.prepared.map,
            beliefs: explorer.beliefs.as_ref(),
            has_invariants: explorer.has_invariants,
            nullable: paths(&job.inputs.nullable),
            nonnull: paths(&job.inputs.nonnull),
            ending: OnceCell::new(),
        }
    }

    /// What a run assumes, and what may be thought of it before it was tried natively.
    pub fn judge(&self, blueprint: &Blueprint<'_>, wrong: &Wrong<'_, '_>) -> (Assumed, Verdict) {
        let Wrong { kind, ran, stack, initial } = *wrong;
        let execution = ran.execution;
        let sort = fault_sort(kind);
        let followed = self.beliefs.and_then(|beliefs| followed(beliefs, stack));
        let matter = self.beliefs.and_then(|_| matter(ran, self.map, sort, followed.map(|(_, spot)| spot)));
        let active: Vec<String> = stack.iter().map(|frame| frame.function.clone()).collect();
        let fault = Fault {
            variables: ran.variables,
            given: ran.given,
            used: &execution.input,
            order: &execution.order,
            initial,
            address: Some(execution.fault).filter(|address| *address != 0),
            sort,
            matter: matter.as_ref(),
            active: &active,
        };
        let grounds = self.beliefs.map(|beliefs| Grounds {
            beliefs,
            function: self.function,
            followed,
            nullable: &self.nullable,
            nonnull: &self.nonnull,
            has_invariants: self.has_invariants,
        });
        let shape = blueprint.shape(ran.variables, ran.given);
        let assumed = blueprint.assumed(&shape, &fault, grounds.as_ref());
        let assumed = with_made_up_block(assumed, kind, blueprint, ran);
        tracing::debug!(%kind, fault = execution.fault, ?matter, ?assumed, "judged");
        let verdict = if assumed.assumptions.is_empty() { Verdict::Likely } else { Verdict::Latent };
        (assumed, verdict)
    }

    /// The function that a program aborts in, when it does nothing else: one that libraries and programs have for errors they can not go on after.
    pub fn ends_on_purpose(&self, kind: AlarmKind, stack: &[Frame]) -> Option<String> {
        let frame = stack.iter().find(|frame| frame.line != 0).filter(|_| kind == AlarmKind::Abort)?;
        let function = self.map.function(&frame.function).filter(|function| !asserts(&function.name))?;
        self.ending.get_or_init(|| never_returning(self.map)).contains(&function.number).then(|| function.name.clone())
    }
}

/// Whether a name says that its function is there for what must not happen, so that a call of it is a mistake.
fn asserts(name: &str) -> bool {
    let name = name.to_lowercase();
    ["assert", "unreachable", "impossible", "bug", "verifier", "reach_error"].iter().any(|word| name.contains(word))
}

/// The pointer that the innermost function of the user's follows where the run ended.
fn followed<'a>(beliefs: &'a Beliefs<'a>, stack: &[Frame]) -> Option<(&'a Function, &'a Spot)> {
    let frame = stack.iter().find(|frame| frame.line != 0)?;
    let function = beliefs.function(&frame.function, &frame.file)?;
    Some((function, beliefs.followed(function, frame.line, frame.column)?))
}

/// What a run depends on; none when it was not followed to its end.
fn matter(ran: &Ran<'_>, map: &SiteMap, sort: FaultSort, followed: Option<&Spot>) -> Option<Matter> {
    if ran.execution.is_truncated {
        return None;
    }
    let conditions = &ran.execution.path.conditions;
    let is_users = |condition: &covet_path::Condition| {
        let site = map.sites.get(condition.site.index());
        site.is_some_and(|site| !map.functions[site.function.index()].is_model)
    };
    let is_violated = |condition: &covet_path::Condition| condition.kind == Kind::Check && condition.taken;
    let is_decided = |condition: &covet_path::Condition| condition.kind == Kind::Branch && is_users(condition);
    // A call through NULL is no check: it has no target.
    let is_nowhere = |condition: &covet_path::Condition| condition.kind == Kind::Target && condition.value == 0;
    let violated = match sort {
        FaultSort::GivenUp => conditions.iter().rposition(is_decided),
        FaultSort::Null => conditions.iter().rposition(|condition| is_violated(condition) || is_nowhere(condition)),
        FaultSort::Sharing | FaultSort::Other => conditions.iter().rposition(is_violated),
    };
    let mut matter = Matter::default();
    for (number, condition) in conditions.iter().enumerate() {
        let variables = ran.pool.variables(condition.term);
        if Some(number) == violated {
            matter.decisive.extend(variables.iter());
            continue;
        }
        match condition.kind {
            Kind::Branch | Kind::Switch | Kind::Target => {
                matter.on_the_way.extend(variables.iter());
                if is_users(condition) && condition.kind != Kind::Target {
                    matter.last = variables.iter().collect();
                    let site = &map.sites[condition.site.index()];
                    // Two pointers that are compared with each other are not asked for NULL.
                    let is_alone = variables.iter().nth(1).is_none();
                    let is_asked = |id: &VarId| is_alone || ran.variables.get(*id).kind != ValueKind::Pointer;
                    for id in variables.iter().filter(is_asked) {
                        matter.tested.entry(id).or_insert_with(|| place(&site.file, site.line));
                    }
                }
            }
            Kind::Assume | Kind::Bounds | Kind::Check | Kind::Concretise | Kind::Follow => {}
        }
    }
    // A check that the program has made itself is no condition of its own: then one of the pointers that were found to be NULL is followed, and a
    // function's where the program went to NULL itself.
    if sort == FaultSort::Null && matter.decisive.is_empty() {
        let wanted = if is_call_of_null(ran) { ValueKind::Function } else { ValueKind::Pointer };
        let is_null = |id: &VarId| {
            let variable = ran.variables.get(*id);
            variable.kind == wanted
                && ran.execution.input.get(*id) == Some(0)
                && followed.is_none_or(|spot| may_be(&AccessPath::from(variable.name.as_str()), spot))
        };
        matter.decisive.extend(matter.tested.keys().copied().filter(is_null));
    }
    Some(matter)
}

/// Whether what the source follows may have come from there. A variable of the body may hold anything.
fn may_be(path: &AccessPath, spot: &Spot) -> bool {
    match spot {
        Spot::Global(name) => path.root().as_global() == Some(name),
        Spot::Member { field, .. } => matches!(path.steps().last(), Some(PathStep::Member(last)) if **last == **field),
        Spot::Local(_) | Spot::Element(_) => true,
    }
}

/// Memory of the input that is given back from its middle: where it begins was made up with the numbers that lead there.
fn with_made_up_block(mut assumed: Assumed, kind: AlarmKind, blueprint: &Blueprint<'_>, ran: &Ran<'_>) -> Assumed {
    let conditions = &ran.execution.path.conditions;
    let violated = conditions.iter().rfind(|condition| condition.kind == Kind::Check && condition.taken);
    let is_number = |id: VarId| matches!(ran.variables.get(id).kind, ValueKind::Signed | ValueKind::Unsigned);
    let by_numbers = violated.is_some_and(|violated| ran.pool.variables(violated.term).iter().any(is_number));
    if kind == AlarmKind::InvalidFree && by_numbers && blueprint.is_input(ran.execution.fault) {
        assumed.assumptions.push("where the memory that is given back begins is made up".to_owned());
    }
    assumed
}

/// Whether a run ended by going to NULL: the place of the fault is told one byte later, as calls are.
fn is_call_of_null(ran: &Ran<'_>) -> bool {
    ran.execution.frames.first() == Some(&1)
}

/// `parse.c:40`
fn place(file: &str, line: u32) -> String {
    let name = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
    format!("{name}:{line}")
}
