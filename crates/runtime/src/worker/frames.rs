//! The call stack of a run that ends early: return addresses, innermost first, into [`ENDING`].
//!
//! Whoever reads them looks one byte earlier, at the call. So the place of an instruction that faulted is told one byte later.
//! The program's code keeps frame pointers; libraries and this runtime need not. Where the chain is lost its next link is looked for
//! on the stack.

use crate::sys::image::image;
use crate::sys::stack;
use crate::worker::signals::ENDING;

pub const MAX_FRAMES: usize = 64;
/// How far up the stack the chain is looked for when code without frame pointers has crashed.
const SEARCHED_WORDS: u64 = 256;

/// Records the call stack of a machine context.
pub fn trace(program_counter: u64, stack_pointer: u64, frame: u64) {
    let mut known = 0;
    push(program_counter + 1);
    if !image().has_code(program_counter) {
        // A library function or a wild jump: the return address is the first code address on the stack.
        known = words_above(stack_pointer).map(|(_, word)| word).find(|word| image().has_code(*word)).unwrap_or(0);
        if known != 0 {
            push(known);
        }
    }
    let before = ENDING.get().frame_count;
    walk(frame, known);
    if ENDING.get().frame_count == before {
        walk(next_link(stack_pointer), known);
    }
}

/// Follows the chain of frame pointers, outward, while it stays on the run stack. The first return address may be `known`.
pub fn walk(mut frame: u64, mut known: u64) {
    while frame.is_multiple_of(8) && stack::contains(frame) && stack::contains(frame + 15) {
        // SAFETY: two words inside the run stack.
        let (outer, back) = unsafe { (*(frame as *const u64), *((frame + 8) as *const u64)) };
        if back != 0 && back != known {
            push(back);
        }
        if outer <= frame {
            break;
        }
        (frame, known) = (outer, 0);
    }
}

/// The first place above `stack_pointer` that looks like a frame: the address of an outer one, then a return address. 0: none.
fn next_link(stack_pointer: u64) -> u64 {
    let is_link = |at: u64, outer: u64, back: u64| {
        outer > at && outer.is_multiple_of(16) && stack::contains(outer) && image().has_code(back)
    };
    let pairs = words_above(stack_pointer).zip(words_above(stack_pointer).skip(1));
    pairs
        .map(|((at, outer), (_, back))| (at, outer, back))
        .find(|&(at, outer, back)| is_link(at, outer, back))
        .map_or(0, |(at, ..)| at)
}

/// Addresses and contents of the words from the stack pointer upward; from the stack's low end when it points below.
fn words_above(stack_pointer: u64) -> impl Iterator<Item = (u64, u64)> {
    let start = stack_pointer.max(stack::low()).next_multiple_of(8);
    let places = (0..SEARCHED_WORDS).map(move |word| start + word * 8);
    // SAFETY: aligned words inside the run stack.
    places
        .take_while(|at| stack::contains(*at) && stack::contains(at + 7))
        .map(|at| (at, unsafe { *(at as *const u64) }))
}

fn push(address: u64) {
    let ending = ENDING.get();
    if ending.frame_count < MAX_FRAMES {
        ending.frames[ending.frame_count] = image().in_file(address);
        ending.frame_count += 1;
    }
}
