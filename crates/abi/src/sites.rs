//! The tables that `instrument` emits into the program, found by the runtime under the symbol `__covet_program`.
//!
//! Branch counters are one `u64` each. A function's counters are contiguous: its entry counter first, then those of its
//! sites in order. The richer site map (lines, successors) stays with the engine; see `instrument::site_map`.

#[repr(C)]
#[derive(Debug)]
pub struct Program {
    pub functions: *const Function,
    pub function_count: u64,
    pub globals: *const Global,
    pub global_count: u64,
    pub counters: *mut u64,
    pub counter_count: u64,
    /// Names (C strings) of external functions called without a model.
    pub externals: *const *const u8,
    pub external_count: u64,
}

#[repr(C)]
#[derive(Debug)]
pub struct Function {
    pub address: *const u8,
    /// `void driver(void **arguments, void *result)`: loads each argument from its object, calls, stores the result. Null when
    /// the function has no driver.
    pub driver: *const u8,
    pub counter_start: u32,
    pub counter_len: u32,
}

/// A variable of static storage duration.
#[repr(C)]
#[derive(Debug)]
pub struct Global {
    pub address: *mut u8,
    pub size: u64,
    /// Bit 0: constant. Bit 1: of a library model, not of the user. Bit 2: thread-local (the address is that of
    /// the first thread's copy).
    pub flags: u64,
}

/// A scalar inside an object marked symbolic: `klee_make_symbolic(&object, ...)` is given the object's leaves.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    pub offset: u32,
    /// Bits.
    pub width: u16,
    /// A [`crate::input::ValueKind`].
    pub kind: u8,
    pub pad: u8,
}
