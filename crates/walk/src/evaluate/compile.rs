//! A constraint's schedule → native code that fills a reading (Cranelift).
//!
//! Every term becomes one value: integers as zero-extended 64-bit registers, floats as floats; both arms of a choice are
//! computed, since no operator traps here. What has no short native form asks the interpreter for that one operator, so that
//! compiled and interpreted values are the same to the last bit.

use crate::evaluate::emit::Emitter;
use crate::evaluate::score::Reading;
use crate::problem::Constraint;
use crate::problem::atom::View;
use covet_expr::Pool;
use cranelift_codegen::ir::{AbiParam, UserFuncName};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::marker::PhantomData;

/// Longer schedules are interpreted: each term may need a place on the stack, and compiling takes ever longer.
const MOST_TERMS: usize = 16_384;

type Code = unsafe extern "C" fn(*const u64, *mut f64, *mut u8);

/// Native code of one constraint, or the knowledge that there is none.
pub(crate) struct Compiled<'p> {
    code: Option<Code>,
    module: Option<JITModule>,
    /// Constant tables that the code reads.
    _tables: Vec<Box<[u64]>>,
    /// The code calls the pool and the functions of its library by address.
    _pool: PhantomData<&'p Pool>,
}

impl<'p> Compiled<'p> {
    pub fn new(pool: &'p Pool, constraint: &Constraint) -> Compiled<'p> {
        let mut tables = Vec::new();
        let (code, module) = match compile(pool, constraint, &mut tables) {
            Some((code, module)) => (Some(code), Some(module)),
            None => (None, None),
        };
        Compiled { code, module, _tables: tables, _pool: PhantomData }
    }

    /// Whether there is code to run.
    pub fn works(&self) -> bool {
        self.code.is_some()
    }

    /// The reading at a point; its vectors have the constraint's sizes.
    pub fn run(&self, point: &[u64], reading: &mut Reading) {
        if let Some(code) = self.code {
            // SAFETY: compiled for a point of this problem and a reading of this constraint's size; what the code calls and reads by
            // address lives: the pool is borrowed, the tables and the module are ours.
            unsafe { code(point.as_ptr(), reading.measures.as_mut_ptr(), reading.truths.as_mut_ptr()) }
        }
    }
}

impl Drop for Compiled<'_> {
    fn drop(&mut self) {
        self.code = None;
        if let Some(module) = self.module.take() {
            // SAFETY: the code is gone from this object, which alone could run it.
            unsafe { module.free_memory() }
        }
    }
}

fn module() -> Option<JITModule> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").ok()?;
    // A frame too large for its stack must not reach into that of another thread.
    flags.set("enable_probestack", "true").ok()?;
    flags.set("probestack_strategy", "inline").ok()?;
    flags.set("is_pic", "false").ok()?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
    let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
    Some(JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())))
}

fn compile(pool: &Pool, constraint: &Constraint, tables: &mut Vec<Box<[u64]>>) -> Option<(Code, JITModule)> {
    let terms = &constraint.schedule.terms;
    if terms.len() > MOST_TERMS || terms.iter().any(|t| pool.width(*t) > 64) {
        return None;
    }
    let mut module = module()?;
    let mut context = module.make_context();
    let pointer = module.target_config().pointer_type();
    for _ in 0..3 {
        context.func.signature.params.push(AbiParam::new(pointer));
    }
    let id = module.declare_function("constraint", Linkage::Local, &context.func.signature).ok()?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let mut functions = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut functions);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let [point, measures, truths] = builder.block_params(entry)[..] else { return None };
    let mut emitter = Emitter::new(pool, builder, module.target_config().default_call_conv, point, tables);
    emitter.schedule(&constraint.schedule)?;
    for (i, measure) in constraint.parts.measures.iter().enumerate() {
        let at = constraint.schedule.place(measure.term);
        let number = match measure.view {
            View::Float => emitter.as_double(at, measure.width),
            View::Signed => emitter.signed_number(at, measure.width),
            View::Unsigned => emitter.unsigned_number(at),
        };
        emitter.store(number, measures, i as i32 * 8);
    }
    for (i, atom) in constraint.parts.atoms.iter().enumerate() {
        emitter.store_truth(constraint.schedule.place(atom.condition), atom.positive, truths, i as i32);
    }
    emitter.finish(module.target_config());
    module.define_function(id, &mut context).ok()?;
    module.clear_context(&mut context);
    module.finalize_definitions().ok()?;
    let address = module.get_finalized_function(id);
    // SAFETY: the function was declared with exactly these parameters.
    let code = unsafe { std::mem::transmute::<*const u8, Code>(address) };
    Some((code, module))
}
