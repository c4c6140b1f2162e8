//! A variable of static storage duration becomes symbolic on request: `global.NAME`.

use crate::blueprint::Blueprint;
use crate::layout::{At, Layout};
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, Variables};
use covet_source::Global;

/// A global of the program and its number in the program's table.
#[derive(Clone, Copy)]
pub struct GlobalPlace<'a> {
    pub global: &'a Global,
    pub number: u32,
}

/// Adds the leaves of a global to a blueprint. What the program gives it is its first value; pointers that are not initialised
/// get memory of their own.
pub fn add_global(place: GlobalPlace<'_>, variables: &mut Variables, blueprint: &mut Blueprint<'_>) {
    let place_of = Place::start_of(blueprint.new_slot());
    let path = AccessPath::global(&place.global.name);
    let mut part = std::mem::take(&mut blueprint.root);
    part.steps.push(Step::Global { slot: place_of.slot, global: place.number });
    let at = At { place: place_of, path: &path, inside: None, length: None, is_kept: place.global.has_initializer };
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
        add_global(GlobalPlace { global: &unit.globals[0], number: 5 }, &mut variables, &mut blueprint);
        assert_eq!(names(&blueprint, &variables), ["global.cfg.mode", "global.cfg.name[0]", "global.cfg.name[1]"]);
        let steps = blueprint.steps(&mut variables, &Default::default());
        assert!(matches!(steps[0], Step::Global { global: 5, .. }));
    }
}
