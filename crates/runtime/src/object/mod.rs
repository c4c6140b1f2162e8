//! Objects: the memory that the program has, who it belongs to and how far each piece reaches.
//!
//! Reading order: [`lookup`] finds the object around an address; [`heap`] and [`placed`] make objects, of the program and of the
//! input; [`sizes`] and [`growth`] are about objects whose size is input; [`pointers`] choose among objects, [`mocks`] are the functions
//! that a pointer may choose.

pub mod lookup;

pub mod heap;
pub mod placed;

pub mod growth;
pub mod sizes;

pub mod mocks;
pub mod pointers;
