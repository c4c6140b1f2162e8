//! A variable of static storage duration becomes symbolic on request: `global.NAME`.

use crate::blueprint::Blueprint;
use crate::layout::{At, Kept, Layout};
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, Variables};
use covet_source::Global;
use std::collections::BTreeSet;

/// A global of the program and its number in the program's table.
#[derive(Clone, Copy)]
pub struct GlobalPlace<'a> {
    pub global: &'a Global,
    pub number: u32,
    pub freedom: Freedom<'a>,
}

/// How much of a global is input.
#[derive(Clone, Copy, Debug)]
pub enum Freedom<'a> {
    /// All of it: pointers that are not initialised get memory of their own.
    Whole,
    /// What is or has a member of these names, held at what the program gives it until a decision asks for something else.
    Held(&'a BTreeSet<String>),
}

/// Adds the leaves of a global to a blueprint. What the program gives it is its first value.
pub fn add_global(place: GlobalPlace<'_>, variables: &mut Variables, blueprint: &mut Blueprint<'_>) {
    let place_of = Place::start_of(blueprint.new_slot());
    let path = AccessPath::global(&place.global.name);
    let mut part = std::mem::take(&mut blueprint.root);
    part.steps.push(Step::Global { slot: place_of.slot, global: place.number });
    let kept = match place.freedom {
        Freedom::Whole if place.global.has_initializer => Kept::First,
        Freedom::Whole => Kept::No,
        Freedom::Held(members) => Kept::Careful { is_initialised: place.global.is_filled, members },
    };
    let at = At { place: place_of, path: &path, inside: None, length: None, kept };
    let inferred = blueprint.environment.pointee_types.global(&place.global.name);
    Layout { blueprint, variables }.value(inferred.unwrap_or(place.global.ty), at, &mut part);
    blueprint.root = part;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{environment, names, parse};

    #[test]
    fn a_global_is_filled_in_place() {
        let (types, unit) = parse("struct { int mode; char name[2]; } cfg; int f(void) { return cfg.mode; }");
        let mut variables = Variables::default();
        let mut blueprint = Blueprint::new(environment(&types));
        let place = GlobalPlace { global: &unit.globals[0], number: 5, freedom: Freedom::Whole };
        add_global(place, &mut variables, &mut blueprint);
        assert_eq!(names(&blueprint, &variables), ["global.cfg.mode", "global.cfg.name[0]", "global.cfg.name[1]"]);
        let steps = blueprint.steps(&mut variables, &Default::default());
        assert!(matches!(steps[0], Step::Global { global: 5, .. }));
    }

    #[test]
    fn what_the_code_names_of_a_held_global_keeps_its_first_value() {
        let source = "struct { int mode, spare; char *name, *text; int table[64]; } cfg = { 3 }, fresh; int f(void) { return cfg.mode; }";
        let (types, unit) = parse(source);
        let members = ["mode", "name", "table"].map(String::from).into();
        let planned = |number: usize| {
            let mut variables = Variables::default();
            let mut blueprint = Blueprint::new(environment(&types));
            let place = GlobalPlace { global: &unit.globals[number], number: 0, freedom: Freedom::Held(&members) };
            add_global(place, &mut variables, &mut blueprint);
            let steps = blueprint.steps(&mut variables, &Default::default());
            assert!(!steps.iter().any(|step| matches!(step, Step::Variable { .. })), "all are kept");
            (names(&blueprint, &variables), blueprint.shape(&variables, &Default::default()).pointers, variables)
        };
        let (own, pointers, variables) = planned(0);
        assert_eq!(own, ["global.cfg.mode"], "pointers and tables that the program filled stay");
        assert!(pointers.is_empty() && variables.held().len() == 1);
        let (own, pointers, variables) = planned(1);
        assert_eq!((own.len(), own[1].as_str()), (1 + 16, "global.fresh.table[0]"));
        assert!(variables.find("global.fresh.name").is_some() && pointers.is_empty(), "NULL is what is there");
    }
}
