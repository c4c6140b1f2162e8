//! Whole programs and fuzz harnesses become blueprints: `argv[1][0]`, `stdin[3]`, `file.NAME[0]`, `arg.data[0]`.

use crate::blueprint::{Blueprint, Part};
use crate::environment::UnitEnvironment;
use crate::layout::at_most;
use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_input::{AccessPath, PathRoot, VarId, Variable, Variables};

/// What a program finds that is symbolic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSetup {
    /// Bytes of each symbolic argument, not counting the terminating zero.
    pub arguments: Vec<u64>,
    /// Bytes of standard input.
    pub stdin: Option<u64>,
    /// Name and bytes of each symbolic file.
    pub files: Vec<(String, u64)>,
}

const POINTER: u64 = 8;

/// `main` with as many of its three parameters as it has, and its files.
pub fn plan_program<'a>(
    environment: UnitEnvironment<'a>,
    setup: &ProgramSetup,
    parameters: usize,
    variables: &mut Variables,
) -> Blueprint<'a> {
    let mut plan = Builder { blueprint: Blueprint::new(environment), part: Part::default(), variables };
    if parameters > 0 {
        plan.argument_count(setup.arguments.len() as u64 + 1);
    }
    if parameters > 1 {
        plan.argument_vector(&setup.arguments);
    }
    if parameters > 2 {
        plan.environment();
    }
    plan.files(setup);
    plan.finish()
}

/// `LLVMFuzzerTestOneInput(data, size)`: `bytes` symbolic bytes and a symbolic size up to that.
pub fn plan_harness<'a>(
    environment: UnitEnvironment<'a>,
    bytes: u64,
    setup: &ProgramSetup,
    variables: &mut Variables,
) -> Blueprint<'a> {
    let mut plan = Builder { blueprint: Blueprint::new(environment), part: Part::default(), variables };
    let data = plan.bytes(bytes.max(1), bytes, &AccessPath::argument("data"), ValueKind::Unsigned);
    let pointer = plan.object(POINTER, POINTER);
    plan.pointer(Place::start_of(pointer), data);
    plan.argument(0, pointer);
    let size = plan.object(8, 8);
    let id = plan.length(AccessPath::argument("size"), 64, bytes);
    plan.variable(Place::start_of(size), id);
    plan.argument(1, size);
    plan.files(setup);
    plan.finish()
}

/// What the system around a function tells it is input; standard input too, of so many bytes, if it reads it.
pub fn add_surroundings(blueprint: &mut Blueprint<'_>, stdin: Option<u64>, variables: &mut Variables) {
    let environment = blueprint.environment.clone();
    let whole = std::mem::replace(blueprint, Blueprint::new(environment));
    let mut plan = Builder { part: whole.root.clone(), blueprint: whole, variables };
    plan.part.steps.push(Step::Surroundings);
    plan.files(&ProgramSetup { stdin, ..ProgramSetup::default() });
    *blueprint = plan.finish();
}

/// Allocations may fail.
pub fn add_refusals(blueprint: &mut Blueprint<'_>) {
    blueprint.root.steps.push(Step::Refusals);
}

struct Builder<'b, 'a> {
    blueprint: Blueprint<'a>,
    part: Part,
    variables: &'b mut Variables,
}

impl<'a> Builder<'_, 'a> {
    fn finish(mut self) -> Blueprint<'a> {
        self.blueprint.root = self.part;
        self.blueprint
    }

    fn argument_count(&mut self, count: u64) {
        let slot = self.object(4, 4);
        self.part.steps.push(Step::Constant { at: Place::start_of(slot), value: count, bytes: 4 });
        self.argument(0, slot);
    }

    fn argument_vector(&mut self, arguments: &[u64]) {
        let vector = self.object((arguments.len() as u64 + 2) * POINTER, POINTER);
        let name = self.text("program");
        self.pointer(Place::start_of(vector), name);
        for (at, &length) in arguments.iter().enumerate() {
            let path = AccessPath::new(PathRoot::Argv).index(at as u64 + 1);
            let text = self.bytes(length + 1, length, &path, ValueKind::Char);
            let entry = Place::start_of(vector).plus((at as u64 + 1) * POINTER);
            self.pointer(entry, text);
        }
        self.argument_pointer(vector, 1);
    }

    fn environment(&mut self) {
        let vector = self.object(POINTER, POINTER);
        self.part.steps.push(Step::Pointer { at: Place::start_of(vector), to: None });
        self.argument_pointer(vector, 2);
    }

    /// Argument `number` is a pointer to `target`.
    fn argument_pointer(&mut self, target: u32, number: u32) {
        let pointer = self.object(POINTER, POINTER);
        self.pointer(Place::start_of(pointer), target);
        self.argument(number, pointer);
    }

    fn files(&mut self, setup: &ProgramSetup) {
        if let Some(length) = setup.stdin {
            self.file(length, &AccessPath::new(PathRoot::Stdin), None);
        }
        for (name, length) in &setup.files {
            let slot = self.text(name);
            self.file(*length, &AccessPath::file(name), Some(slot));
        }
    }

    /// The object `name` holds its name; without one it is standard input.
    fn file(&mut self, bytes: u64, path: &AccessPath, name: Option<u32>) {
        let contents = self.bytes(bytes.max(1), bytes, path, ValueKind::Byte);
        let size = self.length(path.size(), 32, bytes);
        self.part.steps.push(Step::File { name, slot: contents, bytes, length: Some(size.0) });
    }

    /// A fresh object of `size` bytes, the first `count` of them symbolic: `path[0]` ...
    fn bytes(&mut self, size: u64, count: u64, path: &AccessPath, kind: ValueKind) -> u32 {
        let slot = self.object(size, 1);
        for at in 0..count {
            let variable = Variable { name: path.index(at).into(), width: 8, kind, default: 0 };
            let id = self.blueprint.new_variable(self.variables, variable);
            self.variable(Place::start_of(slot).plus(at), id);
        }
        slot
    }

    /// A length variable: at most `bound`, and `bound` unless an input says otherwise.
    fn length(&mut self, path: AccessPath, width: u16, bound: u64) -> VarId {
        let variable = Variable { name: path.into(), width, kind: ValueKind::Unsigned, default: bound as u32 };
        let id = self.blueprint.new_variable(self.variables, variable);
        self.part.steps.push(at_most(id, bound));
        id
    }

    /// A constant C string.
    fn text(&mut self, text: &str) -> u32 {
        let slot = self.object(text.len() as u64 + 1, 1);
        for (at, chunk) in text.as_bytes().chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let (at, value) = (Place::start_of(slot).plus(at as u64 * 8), u64::from_le_bytes(word));
            self.part.steps.push(Step::Constant { at, value, bytes: chunk.len() as u8 });
        }
        slot
    }

    fn object(&mut self, bytes: u64, align: u64) -> u32 {
        let slot = self.blueprint.new_slot();
        self.part.steps.push(Step::Alloc { slot, bytes, align });
        slot
    }

    fn pointer(&mut self, at: Place, target: u32) {
        self.part.steps.push(Step::Pointer { at, to: Some(Place::start_of(target)) });
    }

    fn variable(&mut self, at: Place, id: VarId) {
        self.part.steps.push(Step::Variable { at, variable: id.0, bit: 0 });
    }

    fn argument(&mut self, number: u32, slot: u32) {
        self.part.steps.push(Step::Argument { number, slot });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{environment, names};
    use covet_input::Input;
    use covet_source::Types;

    #[test]
    fn a_program_gets_arguments_standard_input_and_files() {
        let mut variables = Variables::default();
        let setup = ProgramSetup { arguments: vec![2], stdin: Some(1), files: vec![("a file.txt".into(), 1)] };
        let types = Types::default();
        let mut blueprint = plan_program(environment(&types), &setup, 2, &mut variables);
        assert_eq!(
            names(&blueprint, &variables),
            ["argv[1][0]", "argv[1][1]", "stdin[0]", "stdin.size", "file.a file.txt[0]", "file.a file.txt.size"]
        );
        let steps = blueprint.steps(&mut variables, &Input::default());
        let name = |step: &Step| match *step {
            Step::File { name, .. } => Some(name),
            _ => None,
        };
        let named: Vec<bool> = steps.iter().filter_map(name).map(|name| name.is_some()).collect();
        assert_eq!(named, [false, true]);
        let size = variables.get(variables.find("stdin.size").unwrap());
        assert_eq!((size.default, size.width), (1, 32));
    }

    #[test]
    fn a_harness_gets_bytes_and_a_bounded_size() {
        let mut variables = Variables::default();
        let types = Types::default();
        let mut blueprint = plan_harness(environment(&types), 3, &ProgramSetup::default(), &mut variables);
        assert_eq!(names(&blueprint, &variables), ["arg.data[0]", "arg.data[1]", "arg.data[2]", "arg.size"]);
        let bounds = blueprint
            .steps(&mut variables, &Input::default())
            .iter()
            .filter(|step| matches!(step, Step::AtMost { most: 3, .. }))
            .count();
        assert_eq!(bounds, 1);
    }
}
