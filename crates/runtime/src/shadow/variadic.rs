//! Ids of variadic arguments → shadow of the places where `va_arg` will read them.
//!
//! Invariant: an argument is marked where the platform's calling convention put it, and only as wide as its node.
//! Each platform is one module with one function, `places`.

use covet_abi::hooks::ArgumentClass as Class;
use covet_abi::plan::{GUARD, GUARD_WORDS};

use crate::check::poison;
use crate::shadow::{access, bytes};
use crate::term::arena::width;
use crate::trace::run;
use crate::trace::tracking::{self, Lone};

/// Words behind the known arguments in which the guard is looked for.
const REACH: u64 = 64;

/// The guard behind the entry's arguments, and the run it was found in.
static FOUND: Lone<(u32, u64)> = Lone::new((0, 0));

/// # Safety
/// `list` must be a `va_list` that `va_start` has filled in; `ids` and `classes` must point to `count` elements each.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub unsafe extern "C" fn __covet_va_start(
    list: u64, ids: u64, classes: u64, count: u32, fixed_int: u32, fixed_float: u32, fixed_stack: u32,
) -> u32 {
    if !tracking::active() || list == 0 {
        return 0;
    }
    let fixed = [fixed_int, fixed_float, fixed_stack];
    // SAFETY: the caller passes `count` ids and classes, and a list that `va_start` has filled in.
    let mut next = unsafe { platform::Places::new(list, fixed) };
    for i in 0..count as usize {
        let (id, class) = unsafe { (*(ids as *const u32).add(i), *(classes as *const u8).add(i)) };
        let class = Class::from_u8(class).unwrap_or(Class::Stack);
        let place = next.take(class);
        // Frames that were here before left their marks on this stretch of stack.
        bytes::forget(place, if class == Class::Stack { 16 } else { 8 });
        let bytes = width(id) / 8;
        if id != 0 && (1..=8).contains(&bytes) {
            // SAFETY: the callee's own save area or its caller's argument area.
            unsafe { access::mark(place, bytes, id) };
        }
    }
    guard(next.stack());
    0
}

/// What stands behind the entry's arguments belongs to nobody: the input does not say what is there.
fn guard(from: u64) {
    if FOUND.get().0 == run::number() {
        return;
    }
    // It is among the arguments, or behind them when they are too many to be followed.
    let first = from - GUARD_WORDS as u64 * 8;
    for at in (0..REACH).map(|word| first + word * 8) {
        // SAFETY: the run's stack reaches further than this beyond the frames of the program.
        if unsafe { *(at as *const [u64; 2]) } == GUARD {
            FOUND.set((run::number(), at));
            poison::set(at, GUARD_WORDS as u64 * 8);
            return;
        }
    }
}

/// The run is over: its stack is anybody's again.
pub fn reset() {
    let (found, at) = FOUND.get();
    if found != 0 {
        poison::clear(at, GUARD_WORDS as u64 * 8);
        FOUND.set((0, 0));
    }
}

/// Whether an address lies behind the arguments that the entry was given.
pub fn is_guarded(address: u64) -> bool {
    let (found, at) = FOUND.get();
    found == run::number() && address.wrapping_sub(at) < GUARD_WORDS as u64 * 8
}

/// Takes the next stack slot: 8 bytes, or 16 aligned ones.
fn next_on_stack(stack: &mut u64, class: Class) -> u64 {
    let size = if class == Class::Stack { 16 } else { 8 };
    let at = stack.next_multiple_of(size);
    *stack = at + size;
    at
}

/// x86-64 System V: a list is `{ u32 gp_offset, u32 fp_offset, ptr overflow_area, ptr register_area }`; registers are saved
/// as 6 integer slots of 8 bytes and 8 float slots of 16; what no longer fits is on the caller's stack in slots of 8.
#[cfg(target_arch = "x86_64")]
mod platform {
    use super::{Class, next_on_stack};

    const INTEGER_END: u64 = 6 * 8;
    const FLOAT_END: u64 = INTEGER_END + 8 * 16;

    pub struct Places {
        registers: u64,
        integer: u64,
        float: u64,
        stack: u64,
    }

    impl Places {
        /// The list itself tells how far the named arguments went.
        ///
        /// # Safety
        /// `list` must be a `va_list` that `va_start` has filled in.
        pub unsafe fn new(list: u64, _fixed: [u32; 3]) -> Places {
            // SAFETY: the layout of the platform's `va_list`.
            unsafe {
                Places {
                    integer: u64::from(*(list as *const u32)),
                    float: u64::from(*((list + 4) as *const u32)),
                    stack: *((list + 8) as *const u64),
                    registers: *((list + 16) as *const u64),
                }
            }
        }

        pub fn stack(&self) -> u64 {
            self.stack
        }

        pub fn take(&mut self, class: Class) -> u64 {
            if class == Class::Integer && self.integer < INTEGER_END {
                self.integer += 8;
                return self.registers + self.integer - 8;
            }
            if class == Class::Float && self.float < FLOAT_END {
                self.float += 16;
                return self.registers + self.float - 16;
            }
            next_on_stack(&mut self.stack, class)
        }
    }
}

/// AArch64 AAPCS: a list is `{ ptr stack, ptr gr_top, ptr vr_top, i32 gr_offs, i32 vr_offs }`; the offsets are negative and
/// count up to 0, integer slots of 8 bytes and float slots of 16.
#[cfg(target_arch = "aarch64")]
mod platform {
    use super::{Class, next_on_stack};

    pub struct Places {
        stack: u64,
        integer_top: u64,
        float_top: u64,
        integer: i64,
        float: i64,
    }

    impl Places {
        /// # Safety
        /// `list` must be a `va_list` that `va_start` has filled in.
        pub unsafe fn new(list: u64, _fixed: [u32; 3]) -> Places {
            // SAFETY: the layout of the platform's `va_list`.
            unsafe {
                Places {
                    stack: *(list as *const u64),
                    integer_top: *((list + 8) as *const u64),
                    float_top: *((list + 16) as *const u64),
                    integer: i64::from(*((list + 24) as *const i32)),
                    float: i64::from(*((list + 28) as *const i32)),
                }
            }
        }

        pub fn stack(&self) -> u64 {
            self.stack
        }

        pub fn take(&mut self, class: Class) -> u64 {
            if class == Class::Integer && self.integer < 0 {
                self.integer += 8;
                return self.integer_top.wrapping_add_signed(self.integer - 8);
            }
            if class == Class::Float && self.float < 0 {
                self.float += 16;
                return self.float_top.wrapping_add_signed(self.float - 16);
            }
            next_on_stack(&mut self.stack, class)
        }
    }
}
