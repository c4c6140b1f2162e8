//! A variable of static storage duration becomes symbolic on request: `global.NAME`.

use crate::FunctionSetup;
use crate::blueprint::{Blueprint, Item, Place};
use covet_abi::input::StepOp;
use covet_input::Variables;
use covet_source::Global;

/// A global of the program and its number in the program's table.
#[derive(Clone, Copy)]
pub struct GlobalPlace<'a> {
    pub global: &'a Global,
    pub number: u32,
}

/// Adds the leaves of a global to a blueprint; its storage is filled before the entry is called.
pub fn add_global(
    setup: FunctionSetup<'_>,
    place: GlobalPlace<'_>,
    variables: &mut Variables,
    blueprint: &mut Blueprint,
) {
    let slot = blueprint.new_slot();
    let mut items = vec![Item::Step(Place::start_of(slot).step(StepOp::Global, u64::from(place.number), 0))];
    let path = format!("global.{}", place.global.name);
    setup.layout(variables, blueprint).value(place.global.ty, Place::start_of(slot), &path, 0, &mut items);
    blueprint.items.extend(items);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::testing::{names, parse};

    #[test]
    fn a_global_is_filled_in_place() {
        let (types, unit) = parse("struct { int mode; char name[2]; } cfg; int f(void) { return cfg.mode; }");
        let mut variables = Variables::default();
        let mut blueprint = Blueprint::default();
        let setup = FunctionSetup { types: &types, callables: &[], limits: Limits::default() };
        add_global(setup, GlobalPlace { global: &unit.globals[0], number: 5 }, &mut variables, &mut blueprint);
        assert_eq!(names(&blueprint, &variables), ["global.cfg.mode", "global.cfg.name[0]", "global.cfg.name[1]"]);
        let steps = blueprint.steps(&Default::default());
        assert_eq!((steps[0].op, steps[0].a), (StepOp::Global as u32, 5));
    }
}
