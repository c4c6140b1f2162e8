//! Numbers that nobody would pass: sizes that no memory has, values that no enumerator has, members that no writer leaves like that; and what
//! missing functions and other states of the program were made to give.

use super::{Assumed, Fault, FaultSort, Grounds, NAMED, name};
use crate::blueprint::{Blueprint, Candidate};
use crate::shape::{Shape, Walk};
use covet_input::{AccessPath, PathRoot, Value, ValueKind, VarId};
use covet_source::{Enum, TypeKind};

/// No memory is as large as that: a number of this size is no length that a caller could mean.
const NO_LENGTH: u128 = 1 << 40;

impl Blueprint<'_> {
    pub(super) fn values(&self, shape: &Shape, fault: &Fault<'_>, grounds: Option<&Grounds<'_>>, found: &mut Assumed) {
        found.assumptions.extend(huge(shape, fault));
        if grounds.is_some() {
            self.enumerators(shape, fault, found);
            self.unions(fault, found);
        }
        found.assumptions.extend(made_up_results(fault));
        found.assumptions.extend(made_up_address(fault));
        self.states(fault, grounds, found);
    }

    /// Values of an enumeration that it does not have.
    fn enumerators(&self, shape: &Shape, fault: &Fault<'_>, found: &mut Assumed) {
        for (id, path, value) in fault.inputs() {
            let Some(ty) = self.enums.get(&id).map(|ty| self.environment.types.get(*ty)) else { continue };
            let TypeKind::Enum(of) = &ty.kind else { continue };
            if !has(of, value) {
                let name = name(&shape.name(path.as_str()));
                found.assume(format!("{name} is {value}, which is no value of `{}`", ty.name));
            }
        }
    }

    /// Members of unions that are not what the code takes them for.
    fn unions(&self, fault: &Fault<'_>, found: &mut Assumed) {
        let mut walk = Walk::new(self, fault.variables, fault.given);
        walk.all();
        for (path, pointer) in &walk.met {
            let target = pointer.target(&walk.reading);
            if matches!(target, Some(Candidate::Scalar(_))) && fault.depends_on(pointer.choice) {
                found.assume(format!("{} holds a number where a pointer is read", name(path.as_str())));
            }
        }
        let other = |path: &AccessPath| {
            let mut above = std::iter::successors(path.parent(), AccessPath::parent);
            above.find(|above| self.unions.contains(above.as_str()))
        };
        if fault.sort == FaultSort::Other && fault.address.is_some() {
            let decisive =
                fault.inputs().filter(|(id, _, value)| fault.is_about(*id) && value.kind != ValueKind::Pointer);
            for whole in decisive.filter_map(|(_, path, _)| other(&path)).take(1) {
                found.assume(format!("{} holds the member that is read", name(whole.as_str())));
            }
        }
    }

    /// The program's own variables that have other values than it starts with, and that it does not give them somewhere.
    fn states(&self, fault: &Fault<'_>, grounds: Option<&Grounds<'_>>, found: &mut Assumed) {
        let (mut all, mut more) = (Vec::new(), 0);
        for id in fault.changed().filter(|id| fault.depends_on(*id)) {
            found.needs_state = true;
            let variable = fault.variables.get(id);
            let value = |bits| Value { bits, width: variable.width, kind: variable.kind };
            let is_choice = variable.kind == ValueKind::Function || variable.kind == ValueKind::Pointer;
            let (Some(now), Some(first)) = (fault.used.get(id), fault.initial.get(&id)) else { continue };
            let spot = self.spot(&AccessPath::from(variable.name.as_str())).filter(|_| !is_choice);
            // A number that is set from elsewhere and that nobody checks may be anything.
            let known = grounds.zip(spot);
            let set =
                known.as_ref().and_then(|(grounds, spot)| grounds.beliefs.range(spot, signed(value(now))).ok()?);
            let is_set = known.is_some_and(|(grounds, spot)| grounds.beliefs.is_set(&spot));
            // One that the code asks for on the way, and that does no more, may be what it is asked to be.
            let asked = fault.asked_at(id).filter(|_| is_set && !fault.is_about(id));
            if let Some(why) = set.or(asked.map(|place| format!("{place} asks for it"))) {
                found.believe(format!("{} may be {}: {why}", name(&variable.name), value(now)));
            } else if all.len() == NAMED {
                more += 1;
            } else if is_choice {
                all.push(format!("{} is not what it is at the start", variable.name));
            } else {
                all.push(format!("{} is {}, {} at the start", variable.name, value(now), value(*first)));
            }
        }
        if more > 0 {
            all.push(format!("and {more} more"));
        }
        if !all.is_empty() {
            found.assume(all.join(", "));
        }
    }
}

/// Whether an enumeration has a value: an enumerator, or several where they are flags.
fn has(of: &Enum, value: Value) -> bool {
    let value = i128::from(signed(value));
    let bits = i128::from(u32::MAX);
    let is_one = |constant: i128| constant == value || constant & bits == value & bits;
    let is_flag = |constant: i128| constant >= 0 && (constant == 0 || constant & (constant - 1) == 0);
    let flags = of.constants.iter().filter(|(_, constant)| *constant != 0).count();
    let all = of.constants.iter().fold(0, |all, (_, constant)| all | constant);
    let are_flags = flags > 2 && of.constants.iter().all(|(_, constant)| is_flag(*constant));
    of.constants.iter().any(|(_, constant)| is_one(*constant)) || (are_flags && value & !all == 0)
}

pub(super) fn signed(value: Value) -> i64 {
    let number = if value.kind == ValueKind::Signed { value.signed() } else { value.bits as i128 };
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Sizes that no caller could mean.
fn huge(shape: &Shape, fault: &Fault<'_>) -> Option<String> {
    let is_huge = |(_, _, value): &(VarId, AccessPath, Value)| {
        value.kind == ValueKind::Unsigned && value.width == 64 && value.bits >= NO_LENGTH
    };
    let told = |(_, path, value): (VarId, AccessPath, Value)| {
        format!("{} can be {}", name(&shape.name(path.as_str())), value.bits)
    };
    let all: Vec<String> = fault.inputs().filter(is_huge).take(NAMED).map(told).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// An address that no memory can have, and that came from bytes or numbers of an argument or a variable.
fn made_up_address(fault: &Fault<'_>) -> Option<String> {
    let is_made_up =
        |(_, path, _): (VarId, AccessPath, Value)| matches!(path.root(), PathRoot::Argument(_) | PathRoot::Global(_));
    let is_wild = fault.address == Some(u64::MAX) && fault.inputs().any(is_made_up);
    is_wild.then(|| "what is made up holds an address, and not that of an object".into())
}

/// Functions that are not there, whose results were made up.
fn made_up_results(fault: &Fault<'_>) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, path, _) in fault.inputs() {
        if let PathRoot::Stub(name) = path.root()
            && !names.iter().any(|known| **known == **name)
        {
            names.push(name.to_string());
        }
    }
    names.truncate(NAMED);
    (!names.is_empty()).then(|| format!("what {} gives is made up", names.join(", ")))
}
