//! What an input takes for granted that the program does not promise: lengths, targets and functions that were made up.

use super::Shape;
use crate::blueprint::{Blueprint, Length, Reading};
use covet_abi::placed;
use covet_input::{Input, Pointee, Variables};

/// Pointers named in one assumption at most.
const NAMED: usize = 4;

/// Where a run went wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fault {
    /// The address that could not be used; none when the run did not end at one.
    pub address: Option<u64>,
    /// Whether a pointer was NULL.
    pub is_null: bool,
}

impl Blueprint<'_> {
    /// The guesses about the input that a fault depends on, in words.
    pub fn assumptions(&self, variables: &Variables, input: &Input, shape: &Shape, fault: Fault) -> Vec<String> {
        let named = |wanted: fn(&Pointee) -> bool| -> Vec<&str> {
            let all = shape.pointers.iter().filter(|(_, pointee)| wanted(pointee));
            all.map(|(path, _)| path.as_str()).take(NAMED).collect()
        };
        let mut found = Vec::new();
        if let Some(address) = fault.address {
            found.extend(self.length_near(&Reading { variables, input }, shape, address));
        }
        if fault.is_null {
            let null = named(|pointee| *pointee == Pointee::Null);
            if !null.is_empty() {
                found.push(format!("NULL is possible for {}", null.join(", ")));
            }
        }
        for (path, pointee) in &shape.pointers {
            if let Pointee::Alias(other) = pointee
                && found.len() < NAMED
            {
                found.push(format!("{path} and {other} may point at the same object"));
            }
        }
        let mocked = named(|pointee| *pointee == Pointee::Mock);
        if !mocked.is_empty() {
            found.push(format!("a made-up function is called through {}", mocked.join(", ")));
        }
        found
    }

    /// The guessed length of the object that an address is in, or just behind.
    fn length_near(&self, reading: &Reading<'_>, shape: &Shape, address: u64) -> Option<String> {
        let (start, bytes) = placed::block(address)?;
        let before = start.checked_sub(bytes);
        let object = self.objects.iter().find(|object| object.address == start || Some(object.address) == before)?;
        if object.is_promised {
            return None;
        }
        let (path, count) = (shape.name_of(&object.path), object.elements(reading));
        Some(match object.length {
            Length::Grown { most, .. } => format!("{path} points at no more than {most} elements"),
            Length::Fixed(_) => format!("{path} points at {count} element{}", if count == 1 { "" } else { "s" }),
            Length::Input { variable, .. } | Length::Span { variable, .. } => {
                format!(
                    "{path} points at as many elements as {} says",
                    shape.name(&reading.variables.get(variable).name)
                )
            }
        })
    }
}
