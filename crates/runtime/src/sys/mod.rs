//! The ground that the runtime stands on: its process, as the kernel gives it and as it is kept.
//!
//! Reading order: [`state`] is how we keep variables and give up, [`mapping`] how we get memory; [`image`] the program in memory,
//! [`stack`] what runs stand on; [`descriptors`] and [`scratch`] what runs leave behind; [`filter`] what they may no longer do.

pub mod mapping;
pub mod state;

pub mod image;
pub mod stack;

pub mod descriptors;
pub mod filter;
pub mod scratch;
