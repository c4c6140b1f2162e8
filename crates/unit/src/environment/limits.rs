//! How much memory an input may have, and what pointers are at first.

/// What a pointer input is before anything is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Start {
    /// NULL: the graph grows as the program asks for it (CUTE).
    Graph,
    /// Fresh memory, a few levels deep (CONBRIO).
    #[default]
    Alloc,
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    pub start: Start,
    /// Elements of an array behind a pointer to a scalar, at first.
    pub elements: u64,
    /// Bytes behind a pointer to characters or `void`, before the terminating zero, at first.
    pub bytes: u64,
    /// Elements that an array may grow to, about; bytes may grow to 16 times as many.
    pub most_elements: u64,
    /// The largest buffer in the code: texts may grow beyond it.
    pub largest_room: u64,
    /// Bytes of the file behind a stream at most; it has [`Limits::bytes`] of them at first.
    pub stream: u64,
    /// Pointers followed from an argument in the first input.
    pub depth: u32,
    /// Pointers of one recursive type followed at most. A list, whose elements have one such pointer, may be twice as deep.
    pub recursion: u32,
    /// Elements of an array that are input; the others stay zero.
    pub symbolic_elements: u64,
    /// Input variables in one object.
    pub leaves: usize,
    /// Objects in all.
    pub objects: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start: Start::Alloc,
            elements: 4,
            bytes: 8,
            most_elements: 64,
            largest_room: 0,
            stream: 64,
            depth: 3,
            recursion: 4,
            symbolic_elements: 256,
            leaves: 2048,
            objects: 4096,
        }
    }
}
