//! Functions that stand side by side, in one table or in one header → what one may expect of each of them.
//!
//! Who calls through a table treats all that stand in it alike: what some of them ask about an argument may be so for the others. And a
//! header whose functions nearly all ask whether a pointer is NULL has promised something to those who use it.

use super::{Beliefs, Body};
use crate::facts::Spot;
use crate::given::Given;
use crate::reach::find;
use crate::unit::Function;
use std::collections::BTreeSet;

/// Functions of a table that ask before the others are expected to.
const ASKING: usize = 2;
/// Pointers that the functions of a header are given, at least, and how many of twenty they ask about.
const POINTERS: usize = 12;
const OF_TWENTY: usize = 18;

/// What a body does with a pointer that it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// It asks whether it is NULL, or hands it to a function that does.
    Asks,
    Follows,
    /// Neither is seen.
    Unseen,
}

impl<'p> Beliefs<'p> {
    /// Why a parameter may be NULL though no call of the function suggests it: the company that it keeps.
    pub(super) fn by_company(&self, function: &Function, position: usize) -> Option<String> {
        self.by_table(function, position).or_else(|| self.by_header(function))
    }

    /// The same of a variable of a body that is one of its parameters.
    pub fn expected(&self, function: &Function, spot: &Spot) -> Option<String> {
        let Spot::Local(name) = spot else { return None };
        self.by_company(function, function.parameters.iter().position(|parameter| parameter.name == *name)?)
    }

    /// Others in a table, with as many parameters, ask about theirs.
    fn by_table(&self, function: &Function, position: usize) -> Option<String> {
        let mut asking: Vec<(&str, String)> = Vec::new();
        for (unit, model) in self.units.iter().enumerate() {
            let has_it = |mentions: &[String]| {
                mentions.contains(&function.name)
                    && find(&self.units, unit, &function.name).is_some_and(|(_, found)| found.file == function.file)
            };
            for table in model.globals.iter().filter(|table| has_it(&table.mentions)) {
                for other in table.mentions.iter().filter(|name| **name != function.name) {
                    let Some((unit, other)) = find(&self.units, unit, other) else { continue };
                    let Some(parameter) = other.parameters.get(position) else { continue };
                    let is_alike = other.parameters.len() == function.parameters.len();
                    let own = Spot::Local(parameter.name.clone());
                    let why = self.tested(Body { unit, function: other }, &own).filter(|_| is_alike);
                    asking.extend(why.map(|why| (other.name.as_str(), why)));
                }
            }
        }
        asking.sort_unstable();
        asking.dedup();
        let (name, why) = asking.first().filter(|_| asking.len() >= ASKING)?;
        let others = asking.len() - 1;
        Some(format!("`{name}`, which stands in the same table, asks for it ({why}), and so do {others} more"))
    }

    /// Nearly all functions that its header declares ask.
    fn by_header(&self, function: &Function) -> Option<String> {
        let header = function.header.as_ref()?;
        let (mut asks, mut follows) = (0, 0);
        // A file that others include has its functions in many units.
        let mut seen = BTreeSet::new();
        for (unit, model) in self.units.iter().enumerate() {
            let declared =
                model.functions.iter().filter(|other| other.has_body && other.header.as_ref() == Some(header));
            for other in declared.filter(|other| !other.is_static && seen.insert(other.name.as_str())) {
                let body = Body { unit, function: other };
                for position in 0..other.parameters.len() {
                    match self.care(body, position) {
                        Care::Asks => asks += 1,
                        Care::Follows => follows += 1,
                        Care::Unseen => {}
                    }
                }
            }
        }
        let all = asks + follows;
        let is_usual = all >= POINTERS && asks * 20 >= all * OF_TWENTY;
        let name = header.file_name()?.to_string_lossy();
        is_usual.then(|| format!("of {all} pointers that the functions of {name} are given, {asks} are asked for it"))
    }

    fn care(&self, body: Body<'p>, position: usize) -> Care {
        let own = Spot::Local(body.function.parameters[position].name.clone());
        let hands_on = || {
            body.facts().calls.iter().any(|call| {
                let Some((unit, function)) = find(&self.units, body.unit, &call.callee) else { return false };
                let mut given = call.arguments.iter().zip(&function.parameters);
                given.any(|(given, parameter)| {
                    let theirs = Spot::Local(parameter.name.clone());
                    *given == Given::From(own.clone()) && self.tested(Body { unit, function }, &theirs).is_some()
                })
            })
        };
        if self.tested(body, &own).is_some() {
            Care::Asks
        } else if body.facts().followed.iter().any(|mark| mark.spot == own) {
            Care::Follows
        } else if hands_on() {
            Care::Asks
        } else {
            Care::Unseen
        }
    }
}
