//! A function of the program becomes the blueprint of its arguments: `arg.NAME` for each parameter.

use crate::blueprint::{Blueprint, Item, Place};
use crate::layout::{Layout, Limits};
use covet_abi::input::StepOp;
use covet_input::Variables;
use covet_source::{Function, Parameter, TypeKind, Types};

/// What is known of the program around the function.
#[derive(Clone, Copy)]
pub struct FunctionSetup<'a> {
    pub types: &'a Types,
    /// Functions a function pointer may be given, with their numbers in the program.
    pub callables: &'a [(&'a Function, u32)],
    pub limits: Limits,
}

/// The blueprint of all arguments of `function`.
pub fn plan_function(setup: FunctionSetup<'_>, function: &Function, variables: &mut Variables) -> Blueprint {
    let mut blueprint = Blueprint::default();
    let mut items = Vec::new();
    for (at, parameter) in function.parameters.iter().enumerate() {
        let path = argument_path(parameter, at);
        let slot = blueprint.new_slot();
        setup.layout(variables, &mut blueprint).argument(parameter, slot, &path, &mut items);
        items.push(Item::Step(Place::start_of(slot).step(StepOp::Argument, at as u64, 0)));
    }
    blueprint.items = items;
    blueprint
}

impl<'a> FunctionSetup<'a> {
    pub(crate) fn layout<'b>(self, variables: &'b mut Variables, blueprint: &'b mut Blueprint) -> Layout<'b>
    where
        'a: 'b,
    {
        Layout { types: self.types, callables: self.callables, limits: self.limits, variables, blueprint }
    }
}

fn argument_path(parameter: &Parameter, at: usize) -> String {
    if parameter.name.is_empty() { format!("arg.{at}") } else { format!("arg.{}", parameter.name) }
}

impl Layout<'_> {
    fn argument(&mut self, parameter: &Parameter, slot: u32, path: &str, items: &mut Vec<Item>) {
        let ty = self.types.completed(parameter.ty);
        let place = Place::start_of(slot);
        let (size, align) = (self.types.get(ty).size.unwrap_or(0), self.types.get(ty).align.unwrap_or(1));
        items.push(Item::Step(place.step(StepOp::Alloc, size.max(1), align)));
        match self.types.kind(ty) {
            TypeKind::Pointer { pointee, .. } => {
                self.pointer(*pointee, parameter.declared_count, place, path, 0, items);
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => self.value(ty, place, path, 0, items),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pointee;
    use crate::testing::{names, parse};
    use covet_input::Input;

    fn plan(source: &str) -> (Blueprint, Variables) {
        let (types, unit) = parse(source);
        let mut variables = Variables::default();
        let function = unit.function("f").unwrap();
        let callables: Vec<_> = unit.functions.iter().filter(|f| f.has_body).map(|f| (f, 7)).collect();
        let setup = FunctionSetup { types: &types, callables: &callables, limits: Limits::default() };
        (plan_function(setup, function, &mut variables), variables)
    }

    #[test]
    fn scalars_structs_unions_arrays_and_bit_fields_have_named_leaves() {
        let (blueprint, variables) = plan(
            "struct in { short s; union { int whole; char part; }; unsigned low : 3, high : 5; double d[2]; };
             enum colour { RED, GREEN };
             int f(_Bool b, enum colour c, struct in v, __int128 wide) { return b + c + v.s + (int)wide; }",
        );
        assert_eq!(
            names(&blueprint, &variables),
            [
                "arg.b",
                "arg.c",
                "arg.v.s",
                "arg.v.whole",
                "arg.v.low",
                "arg.v.high",
                "arg.v.d[0]",
                "arg.v.d[1]",
                "arg.wide"
            ]
        );
        let steps = blueprint.steps(&Input::default());
        let bit_fields: Vec<_> = steps.iter().filter(|step| step.op == StepOp::Variable as u32 && step.b > 0).collect();
        assert_eq!((bit_fields.len(), bit_fields[0].offset, bit_fields[0].b), (1, 8, 3));
        assert!(steps.iter().any(|step| step.op == StepOp::AtMost as u32 && step.b == 1));
        assert_eq!(steps.iter().filter(|step| step.op == StepOp::Argument as u32).count(), 4);
    }

    #[test]
    fn pointers_are_objects_or_null_and_recursion_ends() {
        let (blueprint, variables) = plan(
            "struct node { int val; struct node *next; };
             int f(struct node *p, const char *text, int a[3]) { return p->val + text[0] + a[2]; }",
        );
        let all = names(&blueprint, &variables);
        assert_eq!(all[..3], ["arg.p->val", "arg.p->next->val", "arg.p->next->next->val"]);
        assert_eq!(all.iter().filter(|name| name.starts_with("arg.text")).count(), 8);
        assert_eq!(all.iter().filter(|name| name.starts_with("arg.a[")).count(), 3);
        let seeds = blueprint.seeds(&Input::default());
        let pointers = blueprint.pointers(&seeds[0]);
        assert_eq!(pointers["arg.p->next"], Pointee::Object { elements: 1 });
        let null = seeds.iter().find(|seed| blueprint.pointers(seed)["arg.p"] == Pointee::Null).unwrap();
        assert!(!blueprint.pointers(null).contains_key("arg.p->next"));
        assert!(blueprint.steps(null).len() < blueprint.steps(&seeds[0]).len());
        assert!(blueprint.values(null).values.is_empty());
    }

    #[test]
    fn function_pointers_get_a_function_of_their_type() {
        let (blueprint, _) = plan("int twice(int x) { return 2 * x; } int f(int (*g)(int), int x) { return g(x); }");
        assert_eq!(blueprint.pointers(&Input::default())["arg.g"], Pointee::Function("twice".into()));
    }
}
