//! A function of the program becomes the blueprint of its arguments: `arg.NAME` for each parameter.

use super::variadic;
use crate::blueprint::{Blueprint, Part};
use crate::environment::UnitEnvironment;
use crate::layout::{At, Count, Kept, Layout, Member, Role, length_of, role};
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, Input, Variables};
use covet_source::{Function, Parameter, TypeId, TypeKind};

/// The blueprint of all arguments of `function`.
pub fn plan_function<'a>(
    environment: UnitEnvironment<'a>,
    function: &Function,
    variables: &mut Variables,
) -> Blueprint<'a> {
    let mut blueprint = Blueprint::new(environment);
    let members: Vec<_> = function.parameters.iter().map(Member::of_parameter).collect();
    let list = function.va_list(blueprint.environment.types);
    let mut list_place = None;
    for (at, parameter) in function.parameters.iter().enumerate() {
        if list == Some(at) {
            list_place = Some(blueprint.list_argument(at));
            continue;
        }
        let path = argument_path(parameter, at);
        let said = blueprint.environment.sizes.counted.get(&path);
        let said = said.and_then(|name| function.parameters.iter().position(|parameter| parameter.name == *name));
        let said = said.map(|at| Count { at, is_believed: true });
        let count = said.or_else(|| length_of(blueprint.environment.types, &members, at));
        let next = function.parameters.get(at + 1);
        let count = count.filter(|_| !is_hidden_state(&blueprint.environment, parameter, next));
        let count = count.map(|count| (&function.parameters[count.at], count.is_believed));
        let mut part = std::mem::take(&mut blueprint.root);
        let slot = blueprint.new_slot();
        let mut layout = Layout { blueprint: &mut blueprint, variables };
        let role = role(layout.types(), &members, at);
        let length = match role {
            Some(Role::Begin) => Some(layout.span(parameter.ty, &path)),
            Some(Role::Cursor(_) | Role::End(_)) => None,
            None => count.map(|(count, is_believed)| {
                let length = layout.length(parameter.ty, count.ty, &AccessPath::argument(&count.name), Kept::No);
                if is_believed { length } else { length.guessed() }
            }),
        };
        let begin = match role {
            Some(Role::Cursor(begin) | Role::End(begin)) => {
                Some((argument_path(&function.parameters[begin], begin), matches!(role, Some(Role::End(_)))))
            }
            Some(Role::Begin) | None => None,
        };
        let place = At { place: Place::start_of(slot), path: &path, inside: None, length, kept: Kept::No };
        layout.argument(parameter, begin, place, &mut part);
        part.steps.push(Step::Argument { number: at as u32, slot });
        blueprint.root = part;
        // What the arguments so far have in the first input may be shared by the next.
        blueprint.steps(variables, &Input::default());
        blueprint.early = blueprint.objects.len();
    }
    variadic::add(&mut blueprint, function, list_place);
    blueprint.steps(variables, &Input::default());
    blueprint
}

/// A structure that the code takes for another one is a handle, of which there is one, whatever number stands beside it. So is `void *` taken for
/// a structure when a second pointer is nearer to that number.
fn is_hidden_state(environment: &UnitEnvironment<'_>, parameter: &Parameter, next: Option<&Parameter>) -> bool {
    let types = environment.types;
    let pointee = |ty: TypeId| match types.kind(types.completed(ty)) {
        TypeKind::Pointer { pointee, .. } => Some(types.kind(types.completed(*pointee))),
        _ => None,
    };
    let Some(taken_for) = environment.pointee_types.parameter(&parameter.name) else { return false };
    match pointee(parameter.ty) {
        Some(TypeKind::Record(_)) => true,
        Some(TypeKind::Void) => {
            let is_behind = next.is_some_and(|next| pointee(next.ty).is_some());
            is_behind && matches!(pointee(taken_for), Some(TypeKind::Record(_)))
        }
        _ => false,
    }
}

fn argument_path(parameter: &Parameter, at: usize) -> AccessPath {
    let position = at.to_string();
    AccessPath::argument(if parameter.name.is_empty() { &position } else { &parameter.name })
}

impl Blueprint<'_> {
    /// Room for a pointer as argument number `at`.
    fn list_argument(&mut self, at: usize) -> Place {
        let place = Place::start_of(self.new_slot());
        self.root.steps.push(Step::Alloc { slot: place.slot, bytes: 8, align: 8 });
        self.root.steps.push(Step::Argument { number: at as u32, slot: place.slot });
        place
    }
}

impl Layout<'_, '_> {
    fn argument(&mut self, parameter: &Parameter, begin: Option<(AccessPath, bool)>, at: At<'_>, part: &mut Part) {
        let types = self.types();
        let ty = types.completed(parameter.ty);
        let (size, align) = (types.get(ty).size.unwrap_or(0), types.get(ty).align.unwrap_or(1));
        part.steps.push(Step::Alloc { slot: at.place.slot, bytes: size.max(1), align });
        if begin.is_some_and(|(begin, is_end)| self.inside(&begin, is_end, at, part)) {
            return;
        }
        match (types.kind(ty), parameter.declared_count) {
            (TypeKind::Pointer { pointee, .. }, Some(count)) => self.promised(*pointee, count, at, part),
            (TypeKind::Pointer { .. }, None) if at.length.is_none() => {
                let inferred = self.blueprint.environment.pointee_types.parameter(&parameter.name);
                self.value(inferred.unwrap_or(ty), at, part);
            }
            _ => self.value(ty, at, part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{environment, names, parse};
    use covet_abi::plan::Step;
    use covet_input::Pointee;
    use covet_sites::FunctionNumber;
    use covet_source::PointeeTypes;

    fn plan(source: &str, check: impl FnOnce(&mut Blueprint<'_>, &mut Variables)) {
        let (types, unit) = parse(source);
        let mut variables = Variables::default();
        let function = unit.function("f").unwrap();
        let callables: Vec<_> = unit.functions.iter().filter(|f| f.has_body).map(|f| (f, FunctionNumber(7))).collect();
        let environment = UnitEnvironment {
            callables,
            pointee_types: PointeeTypes::of(&[&unit], &types, 0, function),
            ..environment(&types)
        };
        let mut blueprint = plan_function(environment, function, &mut variables);
        check(&mut blueprint, &mut variables);
    }

    fn set(input: &mut Input, variables: &Variables, name: &str, choice: u128) {
        input.set(variables.find(name).unwrap(), choice);
    }

    #[test]
    fn scalars_structs_unions_arrays_and_bit_fields_have_named_leaves() {
        let source = "struct in { short s; union { int whole; char part; }; unsigned low : 3, high : 5; double d[2]; };
             enum colour { RED, GREEN };
             int f(_Bool b, enum colour c, struct in v, __int128 wide) { return b + c + v.s + (int)wide; }";
        plan(source, |blueprint, variables| {
            assert_eq!(
                names(blueprint, variables),
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
            let steps = blueprint.steps(variables, &Input::default());
            let bit_field = |step: &Step| match step {
                Step::Variable { at, bit: 1.., .. } => Some(at.offset),
                _ => None,
            };
            let bit_fields: Vec<_> = steps.iter().filter_map(bit_field).collect();
            assert_eq!(bit_fields, [8]);
            assert!(steps.iter().any(|step| matches!(step, Step::Variable { bit: 3, .. })));
            assert!(steps.iter().any(|step| matches!(step, Step::AtMost { most: 1, .. })));
            assert_eq!(steps.iter().filter(|step| matches!(step, Step::Argument { .. })).count(), 4);
        });
    }

    #[test]
    fn graphs_grow_with_the_input_up_to_a_bound() {
        let source = "struct node { int val; struct node *next; };
             int f(struct node *p, const char *text, int a[3]) { return p->val + text[0] + a[2]; }";
        plan(source, |blueprint, variables| {
            let mut input = Input::default();
            let shape = blueprint.shape(variables, &input);
            assert_eq!(shape.pointers["arg.p->next"], Pointee::Object { elements: 1, more: 0 });
            assert_eq!(shape.pointers["arg.p->next->next"], Pointee::Null);
            assert_eq!(shape.pointers["arg.a"], Pointee::Object { elements: 3, more: 0 });
            assert!(variables.find("arg.a").is_none(), "an array of three is no choice");
            assert!(variables.find("arg.text[7]").is_some() && variables.find("arg.p->next->next->val").is_none());
            let mut path = AccessPath::from("arg.p->next");
            while let Some(id) = variables.find(path.as_str()) {
                input.set(id, 1);
                blueprint.steps(variables, &input);
                path = path.deref().member("next");
            }
            assert_eq!(path.steps().len(), 16, "{path}");
            set(&mut input, variables, "arg.p", 0);
            let shape = blueprint.shape(variables, &input);
            assert!(shape.pointers["arg.p"] == Pointee::Null && !shape.pointers.contains_key("arg.p->next"));
        });
    }

    #[test]
    fn sizes_that_are_said_are_used() {
        let (types, unit) =
            parse("struct s { int *data; }; int f(struct s *p, char *buf, int k) { return p->data[0] + buf[k]; }");
        let mut variables = Variables::default();
        let sizes = crate::Sizes {
            fixed: [("arg.p->data".into(), 3)].into(),
            counted: [("arg.buf".into(), "k".to_string())].into(),
            ..crate::Sizes::default()
        };
        let environment = UnitEnvironment { sizes, ..environment(&types) };
        let blueprint = plan_function(environment, unit.function("f").unwrap(), &mut variables);
        let mut input = Input::default();
        set(&mut input, &variables, "arg.k", 5);
        let shape = blueprint.shape(&variables, &input);
        assert_eq!(shape.pointers["arg.p->data"], Pointee::Object { elements: 3, more: 0 });
        assert_eq!(shape.pointers["arg.buf"], Pointee::Object { elements: 5, more: 0 });
    }

    #[test]
    fn an_object_is_named_by_the_first_pointer_that_leads_to_it() {
        let source = "struct node { int val; struct node *next; };
             int f(struct node *p, struct node *q) { return p == q; }";
        plan(source, |blueprint, variables| {
            let mut input = Input::default();
            // Own object, then that of `p`, then that of `p->next`.
            set(&mut input, variables, "arg.q", 2);
            assert_eq!(blueprint.shape(variables, &input).pointers["arg.q"], Pointee::Alias("arg.p".into()));
            set(&mut input, variables, "arg.p->next", 2);
            assert_eq!(blueprint.shape(variables, &input).pointers["arg.p->next"], Pointee::Alias("arg.p".into()));
            set(&mut input, variables, "arg.p", 0);
            blueprint.steps(variables, &input);
            let shape = blueprint.shape(variables, &input);
            assert_eq!(shape.pointers["arg.q"], Pointee::Object { elements: 1, more: 0 });
            assert_eq!(shape.pointers["arg.q->next"], Pointee::Alias("arg.q".into()));
            assert_eq!(shape.name("arg.p->val"), "arg.q->val");
        });
    }

    #[test]
    fn objects_have_one_address_whatever_else_there_is() {
        let source = "struct pair { int *a, *b; }; int f(struct pair *p, struct pair *q) { return p == q; }";
        plan(source, |blueprint, variables| {
            let addresses = |steps: &[Step]| -> std::collections::BTreeMap<u32, u64> {
                let placed = |step: &Step| match *step {
                    Step::Place { slot, address, .. } => Some((slot, address)),
                    _ => None,
                };
                steps.iter().filter_map(placed).collect()
            };
            let all = addresses(&blueprint.steps(variables, &Input::default()));
            let mut input = Input::default();
            set(&mut input, variables, "arg.p", 0);
            set(&mut input, variables, "arg.q->a", 0);
            let fewer = addresses(&blueprint.steps(variables, &input));
            assert!(fewer.len() < all.len() && fewer.iter().all(|(slot, address)| all[slot] == *address));
        });
    }

    #[test]
    fn function_pointers_get_a_function_of_their_type_or_a_mock() {
        let source = "int twice(int x) { return 2 * x; } int f(int (*g)(int), int x) { return g(x); }";
        plan(source, |blueprint, variables| {
            let mut input = Input::default();
            assert_eq!(blueprint.shape(variables, &input).pointers["arg.g"], Pointee::Function("twice".into()));
            set(&mut input, variables, "arg.g", 2);
            assert_eq!(blueprint.shape(variables, &input).pointers["arg.g"], Pointee::Mock);
            let steps = blueprint.steps(variables, &input);
            assert!(steps.iter().any(|step| matches!(step, Step::Mock { .. })));
        });
    }
}
