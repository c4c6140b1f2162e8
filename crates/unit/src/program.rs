//! Whole programs and fuzz harnesses become blueprints: `argv[1][0]`, `stdin[3]`, `file.NAME[0]`, `arg.data[0]`.

use crate::blueprint::{Blueprint, Part, Place, Surroundings};
use crate::layout::at_most;
use covet_abi::input::{NULL_SLOT, StepOp, ValueKind};
use covet_input::{AccessPath, Root, VarId, Variable, Variables};

/// The symbolic surroundings of a program.
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
    around: Surroundings<'a>,
    setup: &ProgramSetup,
    parameters: usize,
    variables: &mut Variables,
) -> Blueprint<'a> {
    let mut plan = Builder { blueprint: Blueprint::new(around), part: Part::default(), variables };
    if parameters > 0 {
        plan.argument_count(setup.arguments.len() as u64 + 1);
    }
    if parameters > 1 {
        plan.argument_vector(&setup.arguments);
    }
    if parameters > 2 {
        plan.environment();
    }
    plan.surroundings(setup);
    plan.finish()
}

/// `LLVMFuzzerTestOneInput(data, size)`: `bytes` symbolic bytes and a symbolic size up to that.
pub fn plan_harness<'a>(
    around: Surroundings<'a>,
    bytes: u64,
    setup: &ProgramSetup,
    variables: &mut Variables,
) -> Blueprint<'a> {
    let mut plan = Builder { blueprint: Blueprint::new(around), part: Part::default(), variables };
    let data = plan.bytes(bytes.max(1), bytes, &AccessPath::argument("data"), ValueKind::Unsigned);
    let pointer = plan.object(POINTER, POINTER);
    plan.step(Place::start_of(pointer), StepOp::Pointer, u64::from(data), 0);
    plan.step(Place::start_of(pointer), StepOp::Argument, 0, 0);
    let size = plan.object(8, 8);
    let id = plan.length(AccessPath::argument("size"), 64, bytes);
    plan.step(Place::start_of(size), StepOp::Variable, u64::from(id.0), 0);
    plan.step(Place::start_of(size), StepOp::Argument, 1, 0);
    plan.surroundings(setup);
    plan.finish()
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
        self.step(Place::start_of(slot), StepOp::Constant, count, 4);
        self.step(Place::start_of(slot), StepOp::Argument, 0, 0);
    }

    fn argument_vector(&mut self, arguments: &[u64]) {
        let vector = self.object((arguments.len() as u64 + 2) * POINTER, POINTER);
        let name = self.text("program");
        self.step(Place::start_of(vector), StepOp::Pointer, u64::from(name), 0);
        for (at, &length) in arguments.iter().enumerate() {
            let path = AccessPath::new(Root::Argv).index(at as u64 + 1);
            let text = self.bytes(length + 1, length, &path, ValueKind::Char);
            let entry = Place::start_of(vector).plus((at as u64 + 1) * POINTER);
            self.step(entry, StepOp::Pointer, u64::from(text), 0);
        }
        self.argument_pointer(vector, 1);
    }

    fn environment(&mut self) {
        let vector = self.object(POINTER, POINTER);
        self.step(Place::start_of(vector), StepOp::Pointer, NULL_SLOT, 0);
        self.argument_pointer(vector, 2);
    }

    /// Argument `number` is a pointer to `target`.
    fn argument_pointer(&mut self, target: u32, number: u64) {
        let pointer = self.object(POINTER, POINTER);
        self.step(Place::start_of(pointer), StepOp::Pointer, u64::from(target), 0);
        self.step(Place::start_of(pointer), StepOp::Argument, number, 0);
    }

    fn surroundings(&mut self, setup: &ProgramSetup) {
        if let Some(length) = setup.stdin {
            self.file(length, &AccessPath::new(Root::Stdin), 0);
        }
        for (name, length) in &setup.files {
            let slot = self.text(name);
            self.file(*length, &AccessPath::file(name), u64::from(slot));
        }
    }

    /// `name_slot` 0 is standard input.
    fn file(&mut self, length: u64, path: &AccessPath, name_slot: u64) {
        let contents = self.bytes(length.max(1), length, path, ValueKind::Byte);
        let size = self.length(path.size(), 32, length);
        let place = Place { slot: contents, offset: name_slot };
        self.step(place, StepOp::File, length, u64::from(size.0));
    }

    /// A fresh object of `size` bytes, the first `count` of them symbolic: `path[0]` ...
    fn bytes(&mut self, size: u64, count: u64, path: &AccessPath, kind: ValueKind) -> u32 {
        let slot = self.object(size, 1);
        for at in 0..count {
            let variable = Variable { name: path.index(at).into(), width: 8, kind, default: 0 };
            let id = self.blueprint.new_variable(self.variables, variable);
            self.step(Place::start_of(slot).plus(at), StepOp::Variable, u64::from(id.0), 0);
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
            let place = Place::start_of(slot).plus(at as u64 * 8);
            self.step(place, StepOp::Constant, u64::from_le_bytes(word), chunk.len() as u64);
        }
        slot
    }

    fn object(&mut self, size: u64, align: u64) -> u32 {
        let slot = self.blueprint.new_slot();
        self.step(Place::start_of(slot), StepOp::Alloc, size, align);
        slot
    }

    fn step(&mut self, place: Place, op: StepOp, a: u64, b: u64) {
        self.part.steps.push(place.step(op, a, b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::testing::names;
    use covet_input::Input;
    use covet_source::Types;

    fn around(types: &Types) -> Surroundings<'_> {
        Surroundings {
            types,
            callables: vec![],
            views: Default::default(),
            limits: Limits::default(),
            sizes: crate::Sizes::default(),
        }
    }

    #[test]
    fn a_program_gets_arguments_standard_input_and_files() {
        let mut variables = Variables::default();
        let setup = ProgramSetup { arguments: vec![2], stdin: Some(1), files: vec![("a file.txt".into(), 1)] };
        let types = Types::default();
        let mut blueprint = plan_program(around(&types), &setup, 2, &mut variables);
        assert_eq!(
            names(&blueprint, &variables),
            ["argv[1][0]", "argv[1][1]", "stdin[0]", "stdin.size", "file.a file.txt[0]", "file.a file.txt.size"]
        );
        let steps = blueprint.steps(&mut variables, &Input::default());
        let files: Vec<_> = steps.iter().filter(|step| step.op == StepOp::File as u32).collect();
        assert_eq!((files.len(), files[0].offset), (2, 0));
        assert_ne!(files[1].offset, 0);
        let size = variables.get(variables.find("stdin.size").unwrap());
        assert_eq!((size.default, size.width), (1, 32));
    }

    #[test]
    fn a_harness_gets_bytes_and_a_bounded_size() {
        let mut variables = Variables::default();
        let types = Types::default();
        let mut blueprint = plan_harness(around(&types), 3, &ProgramSetup::default(), &mut variables);
        assert_eq!(names(&blueprint, &variables), ["arg.data[0]", "arg.data[1]", "arg.data[2]", "arg.size"]);
        let bounds = blueprint
            .steps(&mut variables, &Input::default())
            .iter()
            .filter(|s| s.op == StepOp::AtMost as u32 && s.b == 3)
            .count();
        assert_eq!(bounds, 1);
    }
}
