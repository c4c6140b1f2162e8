//! What a pointer of some type may point at: a fresh object, objects of that type that are there already, functions.

use super::streams::is_stream;
use super::{At, Kept, Layout, Member, length_of};
use crate::blueprint::{Candidate, Length, Mock, Object, ObjectNumber, Part, Pointer, Tail};
use crate::environment::Start;
use covet_abi::input::ValueKind;
use covet_abi::plan::{self, ALLOCATORS, MAX_CANDIDATES, MAX_MOCKS, Step};
use covet_input::{AccessPath, VarId, Variable};
use covet_sites::FunctionNumber;
use covet_source::{Function, TypeId, TypeKind, fill_of, register_of};

/// Objects of the same type that a pointer may share with others.
const ALIASES: usize = 6;

/// Arrays of bytes may grow to so many times as many elements as others.
const BYTES_PER_ELEMENT: u64 = 16;
/// Texts may have so many bytes more than the largest buffer, if that is at most so many times the usual.
const BEYOND_ROOM: u64 = 64;
const MOST_OF_USUAL: u64 = 16;

/// Elements of an array that a call gives: a larger one is as good as one that grows.
const MOST_GIVEN: u64 = 1024;

/// The memory that a pointer asks for.
struct Wanted {
    size: u64,
    length: Length,
    zeros: u64,
    tail: Option<Tail>,
    is_single: bool,
    is_promised: bool,
    is_stream: bool,
}

impl Layout<'_, '_> {
    /// A pointer to `to`.
    pub fn pointer(&mut self, to: TypeId, at: At<'_>, part: &mut Part) {
        let to = self.types().completed(to);
        if let TypeKind::Function { .. } = self.types().kind(to) {
            return self.function_pointer(to, at, part);
        }
        if at.kept.is_steady() {
            return;
        }
        let depth = at.inside.map_or(0, |inside| self.blueprint.objects[inside.0].depth + 1);
        let recursion = self.recursion(to, at.inside);
        if recursion >= self.deepest(to) {
            self.leave_out(at);
            return;
        }
        let said = self.blueprint.environment.sizes.fixed.get(at.path).map(|count| Length::Fixed(*count));
        let wanted = match (self.wanted(to), said.or(at.length)) {
            (Some(wanted), _) if wanted.is_stream => Some(wanted),
            (Some(wanted), Some(length)) => {
                let is_promised = said.is_some() || matches!(length, Length::Span { .. });
                Some(Wanted { length, zeros: 0, is_single: false, is_promised, ..wanted })
            }
            (Some(wanted), None) if !wanted.is_single && wanted.size > 0 => match self.given(at, wanted.size) {
                // What is text there ends within.
                Some(count) => {
                    let length = Length::Fixed(count.saturating_sub(wanted.zeros));
                    Some(Wanted { length, is_promised: true, ..wanted })
                }
                None => Some(Wanted { length: self.growing(to, wanted.length, at.path), ..wanted }),
            },
            (Some(wanted), None) => Some(Wanted { tail: self.tail(to, at.path), ..wanted }),
            (None, _) => None,
        };
        let Some(own) = wanted.and_then(|wanted| self.fresh(to, wanted, at, depth)) else {
            self.leave_out(at);
            return self.note(at.path, "nothing is known of what it points at: it stays NULL");
        };
        // Others would not know where an array of another pointer ends.
        let is_span = matches!(at.length, Some(Length::Span { .. }));
        let shared = if is_span { Vec::new() } else { self.aliases(to, at.inside, own) };
        let mut candidates: Vec<_> = std::iter::once(own).chain(shared).map(Candidate::Object).collect();
        let limits = self.blueprint.environment.limits;
        let is_fresh = limits.start == Start::Alloc && depth < limits.depth && recursion < 2;
        let default = if at.kept.is_own() { self.keep(&mut candidates) } else { u32::from(is_fresh) };
        let choice = self.choice(at.path, candidates.len(), ValueKind::Pointer, default);
        let is_offered = depth == 0;
        part.pointers.push(Pointer { place: at.place, path: at.path.clone(), choice, candidates, is_offered });
    }

    /// Elements that there are where the parameter is given an array.
    fn given(&self, at: At<'_>, size: u64) -> Option<u64> {
        let bytes = self.blueprint.environment.sizes.given.get(at.path)?;
        bytes.checked_div(size).filter(|count| (2..=MOST_GIVEN).contains(count))
    }

    /// A pointer to `count` elements, as the program promises (`int a[4]`): NULL is no choice there.
    pub fn promised(&mut self, to: TypeId, count: u64, at: At<'_>, part: &mut Part) {
        let to = self.types().completed(to);
        let wanted = self.wanted(to).map(|wanted| Wanted {
            length: Length::Fixed(count),
            is_single: false,
            is_promised: true,
            ..wanted
        });
        let Some(number) = wanted.and_then(|wanted| self.fresh(to, wanted, at, 0)) else {
            self.leave_out(at);
            return self.note(at.path, "nothing is known of what it points at: it stays NULL");
        };
        let address = self.blueprint.objects[number.0].address;
        part.steps.push(Step::Constant { at: at.place, value: address, bytes: 8 });
        part.fixed.push(number);
    }

    /// How often the type occurs among the objects around.
    fn recursion(&self, to: TypeId, inside: Option<ObjectNumber>) -> u32 {
        let around = std::iter::successors(inside, |number| self.blueprint.objects[number.0].parent);
        around.filter(|number| self.blueprint.objects[number.0].ty == to).count() as u32
    }

    /// A list may be longer than a tree is deep.
    fn deepest(&self, to: TypeId) -> u32 {
        let TypeKind::Record(record) = self.types().kind(to) else {
            return self.blueprint.environment.limits.recursion;
        };
        let is_same = |ty| matches!(self.types().kind(ty), TypeKind::Pointer { pointee, .. } if *pointee == to);
        let branches = record.fields.iter().filter(|field| is_same(field.ty)).count();
        self.blueprint.environment.limits.recursion * if branches == 1 { 2 } else { 1 }
    }

    /// The object a pointer to `to` gets; none where NULL is all we can do.
    fn wanted(&self, to: TypeId) -> Option<Wanted> {
        let ty = self.types().get(to);
        let limits = self.blueprint.environment.limits;
        let array = |count, zeros| {
            let size = ty.size.unwrap_or(1);
            Some(Wanted {
                size,
                length: Length::Fixed(count),
                zeros,
                tail: None,
                is_single: false,
                is_promised: false,
                is_stream: false,
            })
        };
        if is_stream(self.types(), to) {
            return Some(Wanted { is_single: true, is_stream: true, ..array(1, 0)? });
        }
        match &ty.kind {
            TypeKind::Void => array(limits.bytes, 1),
            TypeKind::Char { .. } | TypeKind::Int { width: 8, .. } => array(limits.bytes, 1),
            TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Complex { .. } => array(limits.elements, 0),
            // A list of pointers ends with NULL by custom.
            TypeKind::Pointer { .. } => array(1, 1),
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Vector { .. } | TypeKind::Opaque => {
                ty.size?;
                Some(Wanted { is_single: true, ..array(1, 0)? })
            }
            TypeKind::Function { .. } => None,
        }
    }

    /// The length of an array that nobody tells: it grows when a run reaches beyond it. Lists of pointers end by themselves.
    fn growing(&mut self, to: TypeId, length: Length, path: &AccessPath) -> Length {
        let Length::Fixed(first) = length else { return length };
        let limits = self.blueprint.environment.limits;
        let is_bytes = self.types().get(to).size.is_none_or(|size| size == 1);
        let usual = limits.most_elements * BYTES_PER_ELEMENT;
        let overflowing = (limits.largest_room + BEYOND_ROOM).min(usual * MOST_OF_USUAL);
        let wanted = if is_bytes { usual.max(overflowing) } else { limits.most_elements };
        if matches!(self.types().kind(to), TypeKind::Pointer { .. }) || wanted <= first {
            return length;
        }
        let width = (wanted - first).ilog2() as u16 + 1;
        let variable = Variable { name: path.more().into(), width, kind: ValueKind::Growth, default: 0 };
        let variable = self.variables.intern(variable);
        Length::Grown { first, variable, most: first + (1 << width) - 1 }
    }

    /// The flexible array member of the record that the pointer at `path` leads to.
    fn tail(&mut self, to: TypeId, path: &AccessPath) -> Option<Tail> {
        let types = self.types();
        let TypeKind::Record(record) = types.kind(to) else { return None };
        let last = record.fields.last().filter(|_| !record.is_union)?;
        let TypeKind::Array { element, count: None } = types.kind(last.ty) else { return None };
        let members: Vec<Member<'_>> = record.fields.iter().map(Member::of_field).collect();
        let inside = path.deref();
        let counted = length_of(types, &members, members.len() - 1).map(|count| &record.fields[count.at]);
        let size = types.get(*element).size?;
        let limits = self.blueprint.environment.limits;
        let length = match counted {
            Some(count) => self.length(last.ty, count.ty, &inside.member(&count.name), Kept::No),
            None => Length::Fixed(if size == 1 { limits.bytes } else { limits.elements }),
        };
        Some(Tail { path: inside.member(&last.name), ty: *element, size, offset: last.offset_bits / 8, length })
    }

    /// A new object for the pointer at `at`, with an address of its own.
    fn fresh(&mut self, to: TypeId, wanted: Wanted, at: At<'_>, depth: u32) -> Option<ObjectNumber> {
        if self.blueprint.objects.len() >= self.blueprint.environment.limits.objects {
            return None;
        }
        let tail = wanted.tail.as_ref().map_or(0, |tail| tail.size * tail.length.most());
        let address =
            self.blueprint.new_address(wanted.size.checked_mul(wanted.length.most() + wanted.zeros)? + tail)?;
        let Wanted { size, length, zeros, tail, is_single, is_promised, is_stream } = wanted;
        let slot = self.blueprint.new_slot();
        let number = ObjectNumber(self.blueprint.objects.len());
        if !is_single && !is_promised && !is_stream {
            let last = length.last(zeros);
            self.blueprint.ends.add(address + last * size, (length.most() + zeros - last) * size);
        }
        self.blueprint.objects.push(Object {
            slot,
            address,
            path: at.path.clone(),
            ty: to,
            size,
            length,
            zeros,
            is_promised,
            tail,
            is_stream,
            is_single,
            depth,
            parent: at.inside,
            parts: Vec::new(),
        });
        Some(number)
    }

    /// Objects of the same type around the pointer, and those that were there before any run.
    fn aliases(&self, to: TypeId, inside: Option<ObjectNumber>, own: ObjectNumber) -> Vec<ObjectNumber> {
        let objects = &self.blueprint.objects;
        let around = std::iter::successors(inside, |number| objects[number.0].parent);
        let early = if inside.is_none() { objects.len() } else { self.blueprint.early };
        let mut found: Vec<ObjectNumber> = Vec::new();
        for number in around.chain((0..early).map(ObjectNumber)) {
            if objects[number.0].ty == to && number != own && !found.contains(&number) && found.len() < ALIASES {
                found.push(number);
            }
        }
        found
    }

    fn function_pointer(&mut self, ty: TypeId, at: At<'_>, part: &mut Part) {
        let TypeKind::Function { result, parameters, variadic } = self.types().kind(ty) else { return };
        let fits = |function: &Function| {
            function.result == *result
                && function.is_variadic == *variadic
                && function.parameters.iter().map(|parameter| parameter.ty).eq(parameters.iter().copied())
        };
        let named = |&(function, number): &(&Function, FunctionNumber)| Candidate::Function {
            number,
            name: function.name.clone(),
        };
        let callables = self.blueprint.environment.callables.iter().filter(|(function, _)| fits(function));
        let mut candidates: Vec<Candidate> = callables.take(MAX_CANDIDATES - 4).map(named).collect();
        candidates.extend(self.allocator(*result, parameters).map(Candidate::Allocator));
        candidates.extend(self.mock(ty, *result, at.path).map(Candidate::Mock));
        if candidates.is_empty() {
            self.leave_out(at);
            return self.note(at.path, "no function has its type: it stays NULL");
        }
        let is_fresh = self.blueprint.environment.limits.start == Start::Alloc;
        let default = if at.kept.is_own() { self.keep(&mut candidates) } else { u32::from(is_fresh) };
        let choice = self.choice(at.path, candidates.len(), ValueKind::Function, default);
        let path = at.path.clone();
        part.pointers.push(Pointer { place: at.place, path, choice, candidates, is_offered: false });
    }

    /// The allocator of the library that has this type.
    fn allocator(&self, result: TypeId, parameters: &[TypeId]) -> Option<usize> {
        let types = self.types();
        let is_memory = |ty: &TypeId| matches!(types.kind(*ty), TypeKind::Pointer { pointee, is_const: false } if *types.kind(*pointee) == TypeKind::Void);
        let is_size = |ty: &TypeId| matches!(types.kind(*ty), TypeKind::Int { signed: false, width: 64 });
        let name = match parameters {
            [size] if is_size(size) && is_memory(&result) => "malloc",
            [count, size] if is_size(count) && is_size(size) && is_memory(&result) => "calloc",
            [old, size] if is_memory(old) && is_size(size) && is_memory(&result) => "realloc",
            _ => return None,
        };
        ALLOCATORS.iter().position(|known| *known == name)
    }

    /// A function that returns inputs of type `result`, or NULL; none when they do not fit into a register.
    fn mock(&mut self, function: TypeId, result: TypeId, path: &AccessPath) -> Option<usize> {
        let number = self.blueprint.mocks.len();
        if number >= MAX_MOCKS {
            return None;
        }
        let result = match self.types().kind(result) {
            TypeKind::Pointer { .. } => None,
            _ => {
                let (width, kind) = self.returned(result)?;
                let variable = Variable { name: path.call().into(), width, kind, default: 0 };
                Some(self.blueprint.new_variable(self.variables, variable))
            }
        };
        let fill = self.fill(function).filter(|_| result.is_some());
        self.blueprint.mocks.push(Mock { result, fill });
        Some(number)
    }

    /// What functions of this type write through their arguments, by registers.
    fn fill(&self, function: TypeId) -> Option<plan::Fill> {
        let types = self.types();
        let TypeKind::Function { parameters, .. } = types.kind(function) else { return None };
        let fill = fill_of(types, function)?;
        let register = |position: usize| register_of(types, function, position);
        let TypeKind::Int { width, .. } = types.kind(parameters[fill.size]) else { return None };
        Some(plan::Fill {
            buffer: register(fill.buffer)?,
            size: register(fill.size)?,
            bits: *width as u8,
            times: optional(fill.times, register)?,
            got: optional(fill.got, register)?,
        })
    }

    fn returned(&self, ty: TypeId) -> Option<(u16, ValueKind)> {
        match self.types().kind(ty) {
            // Nobody looks at what it returns.
            TypeKind::Void => Some((8, ValueKind::Unsigned)),
            TypeKind::Bool => Some((1, ValueKind::Bool)),
            TypeKind::Char { .. } => Some((8, ValueKind::Char)),
            TypeKind::Int { signed, width } if *width <= 64 => {
                Some((*width as u16, if *signed { ValueKind::Signed } else { ValueKind::Unsigned }))
            }
            TypeKind::Float { width: width @ (32 | 64) } => Some((*width as u16, ValueKind::Float)),
            TypeKind::Enum(of) => self.returned(of.underlying),
            TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => None,
        }
    }

    /// One more thing that a pointer may be: a number.
    pub fn add_scalar(&mut self, pointer: &mut Pointer, variable: VarId) {
        pointer.candidates.truncate(MAX_CANDIDATES - 2);
        pointer.candidates.push(Candidate::Scalar(variable));
        let width = width_for(pointer.candidates.len());
        let known = self.variables.get(pointer.choice).clone();
        // The choice was named after the pointer alone; with the number it has one more value.
        let name = pointer.path.choice().into();
        pointer.choice = self.variables.intern(Variable { name, width, ..known });
    }

    /// One more candidate: what the program has there. Gives its number.
    fn keep(&self, candidates: &mut Vec<Candidate>) -> u32 {
        candidates.truncate(MAX_CANDIDATES - 2);
        candidates.push(Candidate::Kept);
        candidates.len() as u32
    }

    /// The variable that numbers `count` candidates, and NULL.
    fn choice(&mut self, path: &AccessPath, count: usize, kind: ValueKind, default: u32) -> VarId {
        let width = width_for(count);
        let variable = Variable { name: path.to_string(), width, kind, default };
        self.variables.intern(variable)
    }
}

/// Bits that number `count` candidates, from 1.
fn width_for(count: usize) -> u16 {
    (count as u32).ilog2() as u16 + 1
}

/// Nothing for nothing; none when something has no answer.
fn optional(position: Option<usize>, answer: impl Fn(usize) -> Option<u8>) -> Option<Option<u8>> {
    match position {
        Some(position) => answer(position).map(Some),
        None => Some(None),
    }
}
