//! Functions made up for function pointers: every call returns a fresh input.
//!
//! A result is returned in the integer and in the floating-point register at once, so one function stands for all types of up to
//! eight bytes. Invariant: the n-th call in a run returns the variable with `#n` to its name.

use covet_abi::plan::MAX_MOCKS;

use crate::shadow::calls;
use crate::trace::label::Label;
use crate::trace::tracking::{self, Lone};
use crate::trace::{marking, run, values, variables};

/// Returned in `rax` and `xmm0`.
#[repr(C)]
pub struct Both {
    whole: u64,
    float: f64,
}

/// The variable of each mock's result, and the run it was defined for.
static RESULTS: Lone<[(u32, u32); MAX_MOCKS]> = Lone::new([(0, 0); MAX_MOCKS]);

type Mock = extern "C" fn() -> Both;

macro_rules! mocks {
    ($($number:literal)*) => { [$(mock::<$number>),*] };
}

static MOCKS: [Mock; MAX_MOCKS] =
    mocks!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);

/// The address of a mock.
pub fn address(number: u32) -> Option<u64> {
    MOCKS.get(number as usize).map(|&mock| mock as *const () as u64)
}

/// Mock `number` returns `variable` in this run.
pub fn define(number: u32, variable: u32) -> Option<()> {
    variables::get(variable)?;
    // SAFETY: one thread.
    *unsafe { &mut *RESULTS.pointer() }.get_mut(number as usize)? = (run::number(), variable);
    Some(())
}

extern "C" fn mock<const NUMBER: usize>() -> Both {
    calls::returns(0);
    // SAFETY: below the array's length; one thread.
    let (defined, variable) = unsafe { (*RESULTS.pointer())[NUMBER] };
    if !run::is_on() || defined != run::number() {
        return Both { whole: 0, float: 0.0 };
    }
    let value = result(variable).unwrap_or(0);
    Both { whole: value, float: f64::from_bits(value) }
}

/// A fresh variable like `variable`, whose node goes along with the result.
fn result(variable: u32) -> Option<u64> {
    let record = variables::get(variable)?;
    let kind = covet_abi::input::ValueKind::from_u8(record.kind)?;
    let mut label: Label = marking::fresh_label(variables::name(variable));
    let fresh = marking::variable_of_width(&mut label, u32::from(record.width), kind)?;
    let value = values::value(fresh) as u64;
    if tracking::active() {
        calls::returns(variables::variable_node(fresh));
    }
    Some(value)
}
