//! The shape and values of a recorded test become an input again.

use super::Walk;
use crate::blueprint::{Blueprint, Candidate, Length, ObjectNumber, Pointer};
use covet_input::{AccessPath, Input, Pointee, Variables};
use std::collections::BTreeMap;

/// Pointers that lead to each other at most.
const ROUNDS: usize = 64;

impl Blueprint<'_> {
    /// The input with these values and pointers, both by name. What the blueprint does not know is left out.
    pub fn restored(
        &mut self,
        variables: &mut Variables,
        values: &[(String, u128)],
        pointers: &BTreeMap<AccessPath, Pointee>,
    ) -> Input {
        let mut input = Input::default();
        for _ in 0..ROUNDS {
            // What the pointers so far lead to is laid out before it is looked at.
            self.steps(variables, &input);
            let mut next = self.chosen(variables, &input, pointers);
            for (name, bits) in values {
                if variables.find(name).is_none() {
                    self.know_far(variables, name);
                }
                if let Some(id) = variables.find(name) {
                    next.set(id, *bits);
                }
            }
            if next == input {
                break;
            }
            input = next;
        }
        input
    }

    /// The choices of all pointers that `input` has.
    fn chosen(&self, variables: &Variables, input: &Input, pointers: &BTreeMap<AccessPath, Pointee>) -> Input {
        let mut walk = Walk::new(self, variables, input);
        walk.all();
        let mut chosen = Input::default();
        for (path, pointer) in &walk.met {
            let Some(pointee) = pointers.get(path) else { continue };
            if let Some(number) = number_of(pointer, pointee, &walk.names) {
                chosen.set(pointer.choice, number as u128);
            }
            if let (Pointee::Object { elements, .. }, Some(Candidate::Object(own))) =
                (pointee, pointer.candidates.first())
            {
                match self.objects[own.0].length {
                    Length::Grown { first, variable, .. } => {
                        chosen.set(variable, u128::from(elements.saturating_sub(first)));
                    }
                    Length::Span { variable, .. } => chosen.set(variable, u128::from(*elements)),
                    Length::Fixed(_) | Length::Input { .. } => {}
                }
            }
        }
        for (path, at) in &walk.cursors {
            if let Some(Pointee::Inside { at: elements, .. }) = pointers.get(path) {
                chosen.set(*at, u128::from(*elements));
            }
        }
        chosen
    }
}

/// The value of a pointer's choice that makes it point there.
fn number_of(pointer: &Pointer, pointee: &Pointee, names: &BTreeMap<ObjectNumber, AccessPath>) -> Option<usize> {
    let position = |wanted: &dyn Fn(&Candidate) -> bool| pointer.candidates.iter().position(wanted).map(|at| at + 1);
    match pointee {
        Pointee::Null => Some(0),
        Pointee::Object { .. } | Pointee::Stream => Some(1),
        Pointee::Alias(path) => position(
            &|candidate| matches!(candidate, Candidate::Object(number) if names.get(number).is_some_and(|name| name == path)),
        ),
        Pointee::Function(wanted) => {
            position(&|candidate| matches!(candidate, Candidate::Function { name, .. } if name == wanted))
        }
        Pointee::Mock => position(&|candidate| matches!(candidate, Candidate::Mock(_))),
        Pointee::Inside { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::plan_function;
    use crate::testing::{environment, parse};
    use covet_input::{Input, Variables};

    #[test]
    fn what_a_shape_says_is_built_again() {
        let source = "struct node { int val; struct node *next; };
            int f(struct node *p, struct node *q, const char *s, const char *end) { return p == q; }";
        let (types, unit) = parse(source);
        let mut variables = Variables::default();
        let mut blueprint = plan_function(environment(&types), unit.function("f").unwrap(), &mut variables);
        let mut input = Input::default();
        let choices = [("arg.p->next", 1), ("arg.p->next->next", 1), ("arg.q", 2), ("arg.s.length", 3)];
        for (name, choice) in choices {
            blueprint.steps(&mut variables, &input);
            input.set(variables.find(name).unwrap(), choice);
        }
        blueprint.steps(&mut variables, &input);
        let shape = blueprint.shape(&variables, &input);
        let restored = blueprint.restored(&mut variables, &[("arg.p->val".into(), 7)], &shape.pointers);
        assert_eq!(blueprint.shape(&variables, &restored), shape);
        assert_eq!(restored.get(variables.find("arg.p->val").unwrap()), Some(7));
    }
}
