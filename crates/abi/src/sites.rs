//! The tables that `instrument` emits into the program, found by the runtime under [`crate::symbols::PROGRAM`].
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
    /// One number for each condition vector of each decision, in a program that counts them: null in others.
    pub vectors: *mut u64,
    pub vector_count: u64,
    /// A byte for each stub that stands beside a function, by its number; not 0: the stub is called instead. See [`crate::stubs`].
    pub switches: *mut u8,
    pub switch_count: u64,
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
    pub flags: GlobalFlags,
}

/// What is to be known of a [`Global`], one bit each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GlobalFlags(pub u64);

impl GlobalFlags {
    pub const CONSTANT: GlobalFlags = GlobalFlags(1);
    /// Of a library model, not of the user.
    pub const MODEL: GlobalFlags = GlobalFlags(1 << 1);
    /// The address is that of the first thread's copy.
    pub const THREAD_LOCAL: GlobalFlags = GlobalFlags(1 << 2);
    /// Behind its own bytes there are some that belong to nobody.
    pub const RED_ZONE: GlobalFlags = GlobalFlags(1 << 3);

    /// With these flags if `is_set`.
    pub const fn with(self, flags: GlobalFlags, is_set: bool) -> GlobalFlags {
        GlobalFlags(if is_set { self.0 | flags.0 } else { self.0 })
    }

    /// Whether one of `flags` is set.
    pub const fn has(self, flags: GlobalFlags) -> bool {
        self.0 & flags.0 != 0
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_apart() {
        let all = [GlobalFlags::CONSTANT, GlobalFlags::MODEL, GlobalFlags::THREAD_LOCAL, GlobalFlags::RED_ZONE];
        for set in all {
            for asked in all {
                assert_eq!(GlobalFlags::default().with(set, true).has(asked), set == asked);
            }
        }
        assert!(!GlobalFlags::default().with(GlobalFlags::MODEL, false).has(GlobalFlags::MODEL));
    }
}
