//! One operator at a time as Cranelift instructions.

use crate::problem::schedule::{Schedule, Step};
use covet_expr::library::Native;
use covet_expr::{Op, Pool, Rounding, Term, rounding};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::FunctionBuilder;

/// A term's value in one or both of its forms.
#[derive(Clone, Copy, Default)]
struct Forms {
    /// Zero-extended bits.
    bits: Option<Value>,
    float: Option<Value>,
}

pub(crate) struct Emitter<'a> {
    pool: &'a Pool,
    builder: FunctionBuilder<'a>,
    convention: CallConv,
    point: Value,
    tables: &'a mut Vec<Box<[u64]>>,
    forms: Vec<Forms>,
    widths: Vec<u16>,
    /// Bytes of tables on the stack.
    stacked: usize,
}

/// Tables with symbolic entries up to this long are laid out on the stack, as long as all of them take no more than so many bytes there.
const LONGEST_STACK_TABLE: usize = 256;
const MOST_STACKED: usize = 64 << 10;

/// One operator, by the interpreter.
unsafe extern "C" fn operate(pool: *const Pool, index: u64, a: u64, b: u64, c: u64) -> u64 {
    // SAFETY: the compiled code is only run while the pool it was made for is borrowed.
    let pool = unsafe { &*pool };
    pool.operate(pool.term_at(index as usize), [a, b, c].map(u128::from)) as u64
}

impl<'a> Emitter<'a> {
    pub fn new(
        pool: &'a Pool,
        builder: FunctionBuilder<'a>,
        convention: CallConv,
        point: Value,
        tables: &'a mut Vec<Box<[u64]>>,
    ) -> Emitter<'a> {
        Emitter { pool, builder, convention, point, tables, forms: Vec::new(), widths: Vec::new(), stacked: 0 }
    }

    /// Every value of the schedule; `None` when one cannot be compiled.
    pub fn schedule(&mut self, schedule: &Schedule) -> Option<()> {
        for (step, &t) in schedule.steps.iter().zip(&schedule.terms) {
            self.widths.push(self.pool.width(t));
            let forms = match step {
                Step::Constant(value) => bits(self.number(*value as u64)),
                Step::Variable(dimension) => {
                    let at = *dimension as i32 * 8;
                    bits(self.builder.ins().load(types::I64, MemFlagsData::trusted(), self.point, at))
                }
                Step::Operator(operands) => self.operator(t, operands.map(|at| at as usize)),
                Step::Choice { index, entries } => bits(self.choice(schedule, *index as usize, entries)?),
            };
            self.forms.push(forms);
        }
        Some(())
    }

    pub fn finish(mut self, config: TargetFrontendConfig) {
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
        self.builder.finalize(config);
    }

    pub fn store(&mut self, value: Value, to: Value, offset: i32) {
        self.builder.ins().store(MemFlagsData::trusted(), value, to, offset);
    }

    pub fn store_truth(&mut self, at: usize, positive: bool, to: Value, offset: i32) {
        let mut truth = self.bits(at);
        if !positive {
            truth = self.builder.ins().bxor_imm_u(truth, 1);
        }
        self.builder.ins().istore8(MemFlagsData::trusted(), truth, to, offset);
    }

    pub fn as_double(&mut self, at: usize, width: u16) -> Value {
        let float = self.float(at, width);
        if width == 32 { self.builder.ins().fpromote(types::F64, float) } else { float }
    }

    pub fn signed_number(&mut self, at: usize, width: u16) -> Value {
        let value = self.signed(at, width);
        self.builder.ins().fcvt_from_sint(types::F64, value)
    }

    pub fn unsigned_number(&mut self, at: usize) -> Value {
        let value = self.bits(at);
        self.builder.ins().fcvt_from_uint(types::F64, value)
    }

    fn number(&mut self, value: u64) -> Value {
        self.builder.ins().iconst(types::I64, value as i64)
    }

    fn bits(&mut self, at: usize) -> Value {
        if let Some(value) = self.forms[at].bits {
            return value;
        }
        let float = self.forms[at].float.unwrap_or(self.point);
        let value = if self.widths[at] == 32 {
            let narrow = self.builder.ins().bitcast(types::I32, MemFlagsData::new(), float);
            self.builder.ins().uextend(types::I64, narrow)
        } else {
            self.builder.ins().bitcast(types::I64, MemFlagsData::new(), float)
        };
        self.forms[at].bits = Some(value);
        value
    }

    fn float(&mut self, at: usize, width: u16) -> Value {
        if let Some(value) = self.forms[at].float {
            return value;
        }
        let whole = self.bits(at);
        let value = if width == 32 {
            let narrow = self.builder.ins().ireduce(types::I32, whole);
            self.builder.ins().bitcast(types::F32, MemFlagsData::new(), narrow)
        } else {
            self.builder.ins().bitcast(types::F64, MemFlagsData::new(), whole)
        };
        self.forms[at].float = Some(value);
        value
    }

    /// Sign-extended to the whole register.
    fn signed(&mut self, at: usize, width: u16) -> Value {
        let value = self.bits(at);
        self.sign_extended(value, width)
    }

    fn sign_extended(&mut self, value: Value, width: u16) -> Value {
        if width == 64 {
            return value;
        }
        let shift = self.number(64 - u64::from(width));
        let high = self.builder.ins().ishl(value, shift);
        self.builder.ins().sshr(high, shift)
    }

    fn cut(&mut self, value: Value, width: u16) -> Value {
        if width == 64 {
            return value;
        }
        let mask = self.number((1u64 << width) - 1);
        self.builder.ins().band(value, mask)
    }

    fn operator(&mut self, t: Term, [a, b, c]: [usize; 3]) -> Forms {
        let width = self.pool.width(t);
        let from = self.pool.width(self.pool.children(t)[0]);
        let op = self.pool.op(t);
        let power_of_two = width.is_power_of_two();
        match op {
            Op::Const | Op::Var | Op::Select => unreachable!("{} is a leaf or a choice", op.name()),
            Op::Add | Op::Sub | Op::Mul => {
                let (x, y) = (self.bits(a), self.bits(b));
                let ins = self.builder.ins();
                let value = match op {
                    Op::Add => ins.iadd(x, y),
                    Op::Sub => ins.isub(x, y),
                    _ => ins.imul(x, y),
                };
                bits(self.cut(value, width))
            }
            Op::And | Op::Or | Op::Xor => {
                let (x, y) = (self.bits(a), self.bits(b));
                let ins = self.builder.ins();
                bits(match op {
                    Op::And => ins.band(x, y),
                    Op::Or => ins.bor(x, y),
                    _ => ins.bxor(x, y),
                })
            }
            Op::Not => {
                let x = self.bits(a);
                let flipped = self.builder.ins().bnot(x);
                bits(self.cut(flipped, width))
            }
            Op::Shl | Op::LShr | Op::AShr if power_of_two => {
                let amount = self.bits(b);
                let mask = self.number(u64::from(width) - 1);
                let amount = self.builder.ins().band(amount, mask);
                let value = match op {
                    Op::Shl => {
                        let x = self.bits(a);
                        self.builder.ins().ishl(x, amount)
                    }
                    Op::LShr => {
                        let x = self.bits(a);
                        self.builder.ins().ushr(x, amount)
                    }
                    _ => {
                        let x = self.signed(a, width);
                        self.builder.ins().sshr(x, amount)
                    }
                };
                bits(self.cut(value, width))
            }
            Op::Eq | Op::Ult | Op::Ule => {
                let (x, y) = (self.bits(a), self.bits(b));
                let code = match op {
                    Op::Eq => IntCC::Equal,
                    Op::Ult => IntCC::UnsignedLessThan,
                    _ => IntCC::UnsignedLessThanOrEqual,
                };
                let truth = self.builder.ins().icmp(code, x, y);
                bits(self.builder.ins().uextend(types::I64, truth))
            }
            Op::Slt | Op::Sle => {
                let (x, y) = (self.signed(a, from), self.signed(b, from));
                let code = if op == Op::Slt { IntCC::SignedLessThan } else { IntCC::SignedLessThanOrEqual };
                let truth = self.builder.ins().icmp(code, x, y);
                bits(self.builder.ins().uextend(types::I64, truth))
            }
            Op::ZExt => bits(self.bits(a)),
            Op::SExt => {
                let value = self.signed(a, from);
                bits(self.cut(value, width))
            }
            Op::Extract => {
                let (x, low) = (self.bits(a), self.number(self.pool.immediate(t)));
                let shifted = self.builder.ins().ushr(x, low);
                bits(self.cut(shifted, width))
            }
            Op::Concat => {
                let (high, low) = (self.bits(a), self.bits(b));
                let shift = self.number(u64::from(self.widths[b]));
                let high = self.builder.ins().ishl(high, shift);
                bits(self.builder.ins().bor(high, low))
            }
            Op::Ite => {
                let condition = self.bits(a);
                match (self.forms[b].float, self.forms[c].float) {
                    (Some(x), Some(y)) => float(self.builder.ins().select(condition, x, y)),
                    _ => {
                        let (x, y) = (self.bits(b), self.bits(c));
                        bits(self.builder.ins().select(condition, x, y))
                    }
                }
            }
            Op::PopCount => {
                let x = self.bits(a);
                let count = self.builder.ins().popcnt(x);
                bits(self.cut(count, width))
            }
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv => {
                let (x, y) = (self.float(a, width), self.float(b, width));
                let ins = self.builder.ins();
                float(match op {
                    Op::FAdd => ins.fadd(x, y),
                    Op::FSub => ins.fsub(x, y),
                    Op::FMul => ins.fmul(x, y),
                    _ => ins.fdiv(x, y),
                })
            }
            Op::FNeg | Op::FAbs | Op::FSqrt => {
                let x = self.float(a, width);
                let ins = self.builder.ins();
                float(match op {
                    Op::FNeg => ins.fneg(x),
                    Op::FAbs => ins.fabs(x),
                    _ => ins.sqrt(x),
                })
            }
            Op::FRound if rounding(self.pool.aux(t)) != Rounding::NearestAway => {
                let x = self.float(a, width);
                let ins = self.builder.ins();
                float(match rounding(self.pool.aux(t)) {
                    Rounding::Down => ins.floor(x),
                    Rounding::Up => ins.ceil(x),
                    Rounding::Zero => ins.trunc(x),
                    Rounding::NearestEven | Rounding::NearestAway => ins.nearest(x),
                })
            }
            Op::FEq | Op::FLt | Op::FLe | Op::FUno => {
                let (x, y) = (self.float(a, from), self.float(b, from));
                let code = match op {
                    Op::FEq => FloatCC::Equal,
                    Op::FLt => FloatCC::LessThan,
                    Op::FLe => FloatCC::LessThanOrEqual,
                    _ => FloatCC::Unordered,
                };
                let truth = self.builder.ins().fcmp(code, x, y);
                bits(self.builder.ins().uextend(types::I64, truth))
            }
            Op::FToF => {
                let x = self.float(a, from);
                float(match (from, width) {
                    (32, 64) => self.builder.ins().fpromote(types::F64, x),
                    (64, 32) => self.builder.ins().fdemote(types::F32, x),
                    _ => x,
                })
            }
            Op::SToF => {
                let x = self.signed(a, from);
                float(self.builder.ins().fcvt_from_sint(float_type(width), x))
            }
            Op::UToF => {
                let x = self.bits(a);
                float(self.builder.ins().fcvt_from_uint(float_type(width), x))
            }
            Op::Call => match self.pool.library().native(self.pool.immediate(t)) {
                Some(Native::One64(f)) => self.library(f as usize, 64, &[a]),
                Some(Native::Two64(f)) => self.library(f as usize, 64, &[a, b]),
                Some(Native::Three64(f)) => self.library(f as usize, 64, &[a, b, c]),
                Some(Native::One32(f)) => self.library(f as usize, 32, &[a]),
                Some(Native::Two32(f)) => self.library(f as usize, 32, &[a, b]),
                None => self.interpreted(t, [a, b, c]),
            },
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => self.interpreted(t, [a, b, c]),
            Op::LeadingZeros | Op::TrailingZeros | Op::FRem | Op::FFma | Op::FRound => self.interpreted(t, [a, b, c]),
            Op::FMin | Op::FMax | Op::FCopySign | Op::FToS | Op::FToU => self.interpreted(t, [a, b, c]),
        }
    }

    fn library(&mut self, address: usize, width: u16, arguments: &[usize]) -> Forms {
        let values: Vec<Value> = arguments.iter().map(|at| self.float(*at, width)).collect();
        let ty = float_type(width);
        float(self.call(address, &vec![ty; values.len()], ty, &values))
    }

    fn interpreted(&mut self, t: Term, operands: [usize; 3]) -> Forms {
        let count = self.pool.children(t).len();
        let pool = self.number(std::ptr::from_ref(self.pool) as u64);
        let mut arguments = vec![pool, self.number(t.index() as u64)];
        for (i, at) in operands.into_iter().enumerate() {
            let value = if i < count { self.bits(at) } else { self.number(0) };
            arguments.push(value);
        }
        bits(self.call(operate as *const () as usize, &[types::I64; 5], types::I64, &arguments))
    }

    fn call(&mut self, address: usize, parameters: &[Type], result: Type, arguments: &[Value]) -> Value {
        let mut signature = Signature::new(self.convention);
        signature.params.extend(parameters.iter().map(|ty| AbiParam::new(*ty)));
        signature.returns.push(AbiParam::new(result));
        let signature = self.builder.import_signature(signature);
        let callee = self.number(address as u64);
        let call = self.builder.ins().call_indirect(signature, callee, arguments);
        self.builder.inst_results(call)[0]
    }

    /// An entry of a table: constants lie in memory, others are laid out on the stack.
    fn choice(&mut self, schedule: &Schedule, index: usize, entries: &[u32]) -> Option<Value> {
        if entries.is_empty() {
            return Some(self.number(0));
        }
        let constant = |at: &u32| match schedule.steps[*at as usize] {
            Step::Constant(value) => Some(value as u64),
            _ => None,
        };
        let base = match entries.iter().map(constant).collect::<Option<Box<[u64]>>>() {
            Some(constants) => {
                let address = constants.as_ptr() as u64;
                self.tables.push(constants);
                self.number(address)
            }
            None if entries.len() > LONGEST_STACK_TABLE => return None,
            None => {
                let size = entries.len() * 8;
                self.stacked += size;
                if self.stacked > MOST_STACKED {
                    return None;
                }
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size as u32, 3);
                let slot = self.builder.create_sized_stack_slot(data);
                for (i, at) in entries.iter().enumerate() {
                    let value = self.bits(*at as usize);
                    self.builder.ins().stack_store(types::I64, value, slot, i as i32 * 8);
                }
                self.builder.ins().stack_addr(types::I64, slot, 0)
            }
        };
        let (index, zero) = (self.bits(index), self.number(0));
        let length = self.number(entries.len() as u64);
        let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, length);
        let safe = self.builder.ins().select(inside, index, zero);
        let three = self.number(3);
        let offset = self.builder.ins().ishl(safe, three);
        let address = self.builder.ins().iadd(base, offset);
        let entry = self.builder.ins().load(types::I64, MemFlagsData::trusted(), address, 0);
        Some(self.builder.ins().select(inside, entry, zero))
    }
}

fn bits(value: Value) -> Forms {
    Forms { bits: Some(value), float: None }
}

fn float(value: Value) -> Forms {
    Forms { bits: None, float: Some(value) }
}

fn float_type(width: u16) -> Type {
    if width == 32 { types::F32 } else { types::F64 }
}
